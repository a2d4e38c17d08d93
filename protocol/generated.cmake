# The messages' C++ is written into the build tree by protocol/generator from protocol/schema.
set(DOHLE_GENERATED_SOURCES "")
