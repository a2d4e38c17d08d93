// How the process is asked to end: SIGTERM or SIGINT ends it in good order, a second one at once.
#pragma once

namespace dohle::runtime {

/// First thing in main, before any thread is started: holds SIGTERM and SIGINT back for wait_for_stop_signal, and
/// ignores SIGPIPE (a closed socket is an error code, not the end).
void hold_stop_signals();

/// Blocks until SIGTERM or SIGINT came; returns which. From then on the next one ends the process at once with exit
/// code 1, for somebody who does not want to wait for the good order.
int wait_for_stop_signal();

/// Ends wait_for_stop_signal from inside the process, as SIGTERM would: a log directory that is lost. Any thread.
void request_stop();

}  // namespace dohle::runtime
