#include "server/api/promise.h"

#include <gtest/gtest.h>

#include <future>
#include <string>

#include "server/runtime/reactor.h"

namespace dohle::api {
namespace {

class PromiseTest : public ::testing::Test {
 protected:
  void SetUp() override { pool_.start(); }
  void TearDown() override { pool_.stop(); }

  runtime::ReactorPool pool_{1};
};

struct Asked {
  std::promise<coordinator::Reply<std::string>> reply;
  std::promise<std::optional<std::string>> answer;
  runtime::StopSignal closing;
  bool forgotten = false;
};

boost::asio::awaitable<void> ask(Asked& asked) {
  Promise<std::string> promise;
  asked.reply.set_value(promise.reply());
  auto answer = co_await promise.wait(asked.closing, &asked.forgotten);
  asked.answer.set_value(std::move(answer));
}

TEST_F(PromiseTest, GivesTheAnswer) {
  Asked asked;
  pool_.at(0).spawn(ask(asked));
  asked.reply.get_future().get()("yes");
  EXPECT_EQ(asked.answer.get_future().get(), "yes");
  EXPECT_FALSE(asked.forgotten);
}

TEST_F(PromiseTest, AReplyThatIsDroppedIsForgottenUntilTheConnectionCloses) {
  Asked asked;
  pool_.at(0).spawn(ask(asked));
  {
    auto dropped = asked.reply.get_future().get();
  }
  auto answer = asked.answer.get_future();
  EXPECT_EQ(answer.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  pool_.at(0).post([&] {
    EXPECT_TRUE(asked.forgotten);
    asked.closing.request();
  });
  EXPECT_EQ(answer.get(), std::nullopt);
}

}  // namespace
}  // namespace dohle::api
