// Says "end now" to everything that waits for something else on one reactor: a connection that closes tells its parked
// request, a reactor that stops tells all of them.
#pragma once

#include <boost/intrusive/list.hpp>

namespace dohle::runtime {

/// One party that wants to be told. Unlinks itself when it is destroyed.
class StopListener
    : public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
 public:
  /// Called once, on the reactor's thread, from inside request(); must not run other people's code.
  virtual void on_stop_requested() = 0;

 protected:
  ~StopListener() = default;
};

/// Only on the thread of the reactor where it lives. Must outlive nothing.
class StopSignal {
 public:
  StopSignal() = default;
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  bool requested() const { return requested_; }

  /// Tells everybody who listens. Idempotent.
  void request() {
    requested_ = true;
    while (!listeners_.empty()) {
      StopListener& listener = listeners_.front();
      listeners_.pop_front();
      listener.on_stop_requested();
    }
  }

  /// After request() nobody is told any more: ask requested() first.
  void add(StopListener& listener) { listeners_.push_back(listener); }

 private:
  bool requested_ = false;
  boost::intrusive::list<StopListener, boost::intrusive::constant_time_size<false>> listeners_;
};

}  // namespace dohle::runtime
