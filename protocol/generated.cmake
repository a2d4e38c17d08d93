# The messages' C++ is written into the build tree by protocol/generator from protocol/schema. The list of files follows
# from the pages, so it is asked for at configure time; a changed page configures again.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(schema_dir ${CMAKE_SOURCE_DIR}/protocol/schema)
set(generator_dir ${CMAKE_SOURCE_DIR}/protocol/generator)
set(messages_dir ${CMAKE_BINARY_DIR}/generated/protocol/messages)
file(GLOB schema_pages CONFIGURE_DEPENDS ${schema_dir}/*.schema)
file(GLOB generator_sources CONFIGURE_DEPENDS ${generator_dir}/*.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${schema_pages} ${generator_sources})

set(generate ${Python3_EXECUTABLE} -B ${generator_dir}/generate.py --schema ${schema_dir})
execute_process(COMMAND ${generate} --list OUTPUT_VARIABLE generated_names RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "protocol/schema cannot be read")
endif()
list(TRANSFORM generated_names PREPEND ${messages_dir}/ OUTPUT_VARIABLE DOHLE_GENERATED_SOURCES)

add_custom_command(
  OUTPUT ${DOHLE_GENERATED_SOURCES}
  COMMAND ${generate} --out ${messages_dir}
  DEPENDS ${schema_pages} ${generator_sources}
  COMMENT "Generating protocol/messages"
  VERBATIM)
