#include "server/runtime/thread.h"

#include <pthread.h>

namespace dohle::runtime {

void name_thread(const std::string& name) {
  ::pthread_setname_np(::pthread_self(), name.substr(0, 15).c_str());
}

}  // namespace dohle::runtime
