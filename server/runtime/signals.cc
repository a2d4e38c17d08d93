#include "server/runtime/signals.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

namespace dohle::runtime {
namespace {

sigset_t stop_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGTERM);
  ::sigaddset(&signals, SIGINT);
  return signals;
}

void end_at_once(int) {
  ::_exit(1);
}

}  // namespace

void hold_stop_signals() {
  sigset_t signals = stop_signals();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  struct sigaction ignore{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, nullptr);
}

int wait_for_stop_signal() {
  sigset_t signals = stop_signals();
  int came = 0;
  while (::sigwait(&signals, &came) != 0) {
  }
  struct sigaction quick{};
  quick.sa_handler = end_at_once;
  ::sigaction(SIGTERM, &quick, nullptr);
  ::sigaction(SIGINT, &quick, nullptr);
  ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  return came;
}

void request_stop() {
  ::kill(::getpid(), SIGTERM);
}

}  // namespace dohle::runtime
