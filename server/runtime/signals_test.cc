#include "server/runtime/signals.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace dohle::runtime {
namespace {

/// Runs `body` in a child process; gives its exit code, or minus the signal that ended it.
int in_child(const std::function<int()>& body) {
  pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(Signals, the_first_one_is_waited_for) {
  for (int signal : {SIGTERM, SIGINT}) {
    int code = in_child([signal] {
      hold_stop_signals();
      ::kill(::getpid(), signal);
      return wait_for_stop_signal() == signal ? 42 : 1;
    });
    EXPECT_EQ(code, 42);
  }
}

TEST(Signals, the_second_one_ends_the_process_at_once) {
  int code = in_child([] {
    hold_stop_signals();
    request_stop();
    wait_for_stop_signal();
    request_stop();
    return 42;
  });
  EXPECT_EQ(code, 1);
}

TEST(Signals, a_closed_pipe_does_not_end_the_process) {
  int code = in_child([] {
    hold_stop_signals();
    int ends[2];
    if (::pipe(ends) != 0) return 1;
    ::close(ends[0]);
    return ::write(ends[1], "x", 1) < 0 ? 42 : 1;
  });
  EXPECT_EQ(code, 42);
}

}  // namespace
}  // namespace dohle::runtime
