// The few names of Asio that our headers need, without Asio: a file that includes Asio compiles ten times as long.
// Whoever calls a function that returns an awaitable includes <boost/asio/awaitable.hpp> himself.
#pragma once

namespace boost::asio {
class io_context;
class any_io_executor;
template <typename T, typename Executor>
class awaitable;
}  // namespace boost::asio

namespace dohle::runtime {

/// boost::asio::awaitable<T>.
template <typename T>
using Awaitable = boost::asio::awaitable<T, boost::asio::any_io_executor>;

}  // namespace dohle::runtime
