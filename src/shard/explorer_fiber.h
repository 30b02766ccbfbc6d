// ExplorerFiber: a stack of its own and the way to it and back. For the explorer, which changes
// stacks some ten million times: the C library's swapcontext makes a system call each time, so on
// x86-64 a few instructions stand in for it. Sanitizers must see the change of stack and know
// swapcontext, so under them, and on other machines, it is used.
#pragma once

#include <cstddef>
#include <memory>

#if defined(__x86_64__) && !defined(SLOTCAR_SANITIZED) && !defined(__SANITIZE_ADDRESS__)
#define SLOTCAR_OWN_STACK_SWITCH 1
#else
#include <ucontext.h>
#endif

#ifdef SLOTCAR_OWN_STACK_SWITCH
// Saves what a function must preserve, and its stack pointer; then the same backwards.
asm(R"(
.text
.type slotcar_explorer_switch, @function
slotcar_explorer_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq (%rsi), %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size slotcar_explorer_switch, .-slotcar_explorer_switch
)");
extern "C" void slotcar_explorer_switch(void** save, void** load);
#endif

namespace slotcar::shard {

class ExplorerFiber {
 public:
  static constexpr std::size_t kStackBytes = 64 * 1024;

  // The next switch to it enters `entry`, which never returns. Whatever it did before is forgotten.
  void begin(void (*entry)()) {
    if (stack_ == nullptr) stack_ = std::make_unique<std::byte[]>(kStackBytes);
#ifdef SLOTCAR_OWN_STACK_SWITCH
    constexpr std::size_t kWords = kStackBytes / sizeof(void*);
    constexpr std::size_t kSaved = 6;
    void** words = reinterpret_cast<void**>(stack_.get());
    // At its entry a function finds the stack pointer 8 below a multiple of 16, and what `new`
    // returns is such a multiple.
    constexpr std::size_t kTop = kWords - 1;
    words[kTop] = nullptr;  // nowhere to return to
    words[kTop - 1] = reinterpret_cast<void*>(entry);
    for (std::size_t i = 0; i < kSaved; ++i) words[kTop - 2 - i] = nullptr;
    stack_pointer_ = &words[kTop - 1 - kSaved];
#else
    getcontext(&context_);
    context_.uc_stack.ss_sp = stack_.get();
    context_.uc_stack.ss_size = kStackBytes;
    context_.uc_link = nullptr;
    makecontext(&context_, entry, 0);
#endif
  }

  // Leaves this one, which is running, for the other.
  void switch_to(ExplorerFiber& other) {
#ifdef SLOTCAR_OWN_STACK_SWITCH
    slotcar_explorer_switch(&stack_pointer_, &other.stack_pointer_);
#else
    swapcontext(&context_, &other.context_);
#endif
  }

 private:
  std::unique_ptr<std::byte[]> stack_;
#ifdef SLOTCAR_OWN_STACK_SWITCH
  void* stack_pointer_ = nullptr;
#else
  ucontext_t context_;
#endif
};

}  // namespace slotcar::shard
