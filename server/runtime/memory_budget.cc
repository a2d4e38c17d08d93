#include "server/runtime/memory_budget.h"

#include "server/runtime/waiter.h"

namespace dohle::runtime {

MemoryBudget::Share::Share(MemoryBudget& budget, std::uint64_t frame_bytes)
    : budget_(budget), small_(frame_bytes <= budget.limits_.small_frame_bytes) {}

bool MemoryBudget::Share::grow(std::uint64_t bytes, const std::shared_ptr<Waiter>& waiter) {
  std::lock_guard lock(budget_.mutex_);
  std::uint64_t limit = budget_.limits_.total_bytes;
  if (small_ && limit <= UINT64_MAX - budget_.limits_.reserve_bytes) limit += budget_.limits_.reserve_bytes;
  bool fits = always_admitted_ || (budget_.held_bytes_ <= limit && bytes <= limit - budget_.held_bytes_);
  if (!fits && !small_ && !budget_.large_admitted_) {
    budget_.large_admitted_ = true;
    always_admitted_ = true;
    fits = true;
  }
  if (fits) {
    budget_.forget(*this);
    budget_.held_bytes_ += bytes;
    held_bytes_ += bytes;
    return true;
  }
  if (!waiting_) {
    position_ = budget_.waiting_.insert(budget_.waiting_.end(), waiter);
    waiting_ = true;
  }
  return false;
}

void MemoryBudget::Share::stop_waiting() {
  std::lock_guard lock(budget_.mutex_);
  budget_.forget(*this);
}

void MemoryBudget::Share::give_back() {
  std::lock_guard lock(budget_.mutex_);
  budget_.forget(*this);
  if (held_bytes_ == 0) return;
  budget_.held_bytes_ -= held_bytes_;
  held_bytes_ = 0;
  if (always_admitted_) {
    always_admitted_ = false;
    budget_.large_admitted_ = false;
  }
  // All of them look again, and line up behind one another in the order in which they come.
  for (const std::weak_ptr<Waiter>& waiting : budget_.waiting_) {
    if (std::shared_ptr<Waiter> waiter = waiting.lock()) waiter->wake();
  }
}

void MemoryBudget::forget(Share& share) {
  if (!share.waiting_) return;
  waiting_.erase(share.position_);
  share.waiting_ = false;
}

std::uint64_t MemoryBudget::held_bytes() const {
  std::lock_guard lock(mutex_);
  return held_bytes_;
}

bool MemoryBudget::under_pressure() const {
  std::lock_guard lock(mutex_);
  return !waiting_.empty();
}

}  // namespace dohle::runtime
