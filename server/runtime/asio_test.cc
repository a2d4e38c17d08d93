#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

namespace {

TEST(Asio, is_compiled_in_and_runs_posted_work) {
  boost::asio::io_context context;
  bool ran = false;
  boost::asio::post(context, [&] { ran = true; });
  context.run();
  EXPECT_TRUE(ran);
}

}  // namespace
