"""Each rule of lint.py sees its planted violation, and nothing where there is none."""

import pathlib
import subprocess
import tempfile
import unittest

import cpp_text
import lint


def rules(path: str, text: str) -> list[str]:
    return [rule for _, rule, _ in lint.check_file(path, text, lint.is_test_source(path))]


def body(text: str) -> list[str]:
    """The rules that the statements of one coroutine break."""
    return [rule for _, rule, _ in lint.check_coroutines("server/net/x.cc", f"awaitable<void> f() {{\n{text}\n}}\n")]


class Lengths(unittest.TestCase):
    def test_a_file_may_have_600_lines_and_no_more(self):
        self.assertEqual([], rules("codec/x.cc", "\n" * 600))
        self.assertEqual(["file-length"], rules("codec/x.cc", "\n" * 601))
        self.assertEqual(["file-length"], rules("compat-tests/harness/x.py", "\n" * 601))

    def test_a_function_may_have_70_lines_and_no_more(self):
        for head in ("int f(int a)", "X::X(int a) : a_{a}, b_(2)", "bool X::ok() const noexcept", "TEST(Name, Says)",
                     "auto f() -> std::vector<int>", "template <class T>\nvoid f(T t)", "template <int N> void f()",
                     "struct X {\nvoid f()", "X::X(int a)\n    : a_{a}, b_{2}", "X operator+(X a, X b)"):
            tail = "}\n};" if head.startswith("struct") else "}"
            short = f"namespace a::b {{\n{head} {{" + "\n" * 69 + f"{tail}\n}}\n"
            long = f"namespace a::b {{\n{head} {{" + "\n" * 70 + f"{tail}\n}}\n"
            self.assertEqual([], rules("codec/x.cc", short), head)
            self.assertEqual(["function-length"], rules("codec/x.cc", long), head)

    def test_a_function_of_python_too(self):
        self.assertEqual([], rules("a/x.py", "def f():\n" + "    g()\n" * 69))
        self.assertEqual(["function-length"], rules("a/x.py", "def f():\n" + "    g()\n" * 70))

    def test_a_long_type_table_or_namespace_is_no_function(self):
        for head in ("struct X", "enum class E : int", "namespace x", "class X final : public Y<decltype(f(1))>",
                     "constexpr std::array<int, 3> table =", "const Row rows[]"):
            self.assertEqual([], rules("codec/x.cc", f"{head} {{" + "\n" * 100 + "};\n"), head)

    def test_braces_in_comments_literals_and_macros_do_not_count(self):
        text = "void f() {\n// }\n/* } */\nauto a = \"}\"; auto b = '}'; auto c = R\"x(}\")x\"; int d = 1'000'000;\n"
        self.assertEqual(["function-length"], rules("codec/x.cc", "#define X }\n" + text + "\n" * 70 + "}\n"))

    def test_functions_are_found_by_name(self):
        text = "namespace a {\nvoid X::one(int a) { if (a) { b(); } }\nstruct Y { int two() const { return 1; } };\n}"
        self.assertEqual([("one", 2, 2), ("two", 3, 3)], list(cpp_text.functions(cpp_text.parse(text))))


class Names(unittest.TestCase):
    def test_empty_words_are_no_names_of_types(self):
        for declaration in ("class LogManager {};", "struct PartitionData;", "enum class ErrorUtils {};",
                            "using X = int; using FooImpl = X;", "class BarHelper final {};"):
            self.assertEqual(["name"], rules("server/log/x.cc", declaration), declaration)

    def test_nor_of_files(self):
        for path in ("server/log/log_manager.cc", "codec/util.h", "server/api/common_errors.cc", "a/fetch_data.py",
                     "server/log/log_utils_test.cc"):
            self.assertIn("name", rules(path, "#pragma once\n"), path)

    def test_words_in_comments_text_and_other_places_are_free(self):
        self.assertEqual([], rules("server/log/database.cc", '// class LogManager\nauto x = "struct XData";\nint Impl_y;\n'))
        self.assertEqual([], rules("server/metadata/metadata.cc", "class Metadata2 {};\nclass DataPlane {};\n"))


class Includes(unittest.TestCase):
    def test_along_the_arrows_is_fine(self):
        for path, header in (("server/log/x.cc", "server/config/log_config.h"), ("server/api/x.cc", "server/log/log.h"),
                             ("server/net/x.cc", "codec/bytes.h"), ("server/api/x.cc", "server/net/request.h"),
                             ("server/log/x_test.cc", "server/testing/fake_disk.h"), ("server/main.cc", "server/net/x.h"),
                             ("protocol/fuzz/x_fuzz.cc", "codec/reader.h")):
            self.assertEqual([], rules(path, f'#include "{header}"\n'), path)

    def test_against_them_is_not(self):
        for path, header in (("codec/x.cc", "protocol/error_code.h"), ("protocol/x.cc", "server/runtime/result.h"),
                             ("server/log/x.cc", "server/replica/partition.h"), ("server/net/x.cc", "server/log/log.h"),
                             ("server/config/x.cc", "server/log/log.h"), ("server/api/x.cc", "server/net/connection.h"),
                             ("server/log/x.cc", "server/testing/fake_disk.h"), ("server/groups/x.cc", "server/api/x.h"),
                             ("server/nowhere/x.cc", "codec/bytes.h")):
            self.assertEqual(["arrows"], rules(path, f'#include "{header}"\n'), path)

    def test_ours_are_written_from_the_root_and_in_quotes(self):
        self.assertEqual(["include-path"], rules("codec/x.cc", '#include "bytes.h"\n'))
        self.assertEqual(["include-path"], rules("codec/x.cc", "#include <codec/bytes.h>\n"))

    def test_asio_locks_files_and_sockets_have_their_folders(self):
        for path, header, rule in (("server/log/x.cc", "boost/asio/awaitable.hpp", "asio"),
                                   ("codec/x_test.cc", "boost/asio/post.hpp", "asio"),
                                   ("server/groups/x.cc", "mutex", "locks"), ("server/net/x.cc", "atomic", "locks"),
                                   ("server/log/x.cc", "fstream", "files"), ("server/metadata/x.cc", "fcntl.h", "files"),
                                   ("server/replica/x.cc", "sys/socket.h", "sockets"),
                                   ("server/groups/x.cc", "thread", "pure"), ("server/transactions/x.cc", "chrono", "pure")):
            self.assertEqual([rule], rules(path, f"#include <{header}>\n"), path)
        for path, header in (("server/net/x.cc", "boost/asio/awaitable.hpp"), ("server/replica/x.cc", "mutex"),
                             ("server/log/x.cc", "atomic"), ("server/log/x_test.cc", "filesystem"),
                             ("server/api/fetch_session_cache.cc", "mutex"), ("server/runtime/x.cc", "fcntl.h")):
            self.assertEqual([], rules(path, f"#include <{header}>\n"), path)

    def test_a_header_that_only_tests_include_is_test_code(self):
        texts = {"codec/vectors.h": "", "codec/x.h": "", "codec/x.cc": '#include "codec/x.h"\n',
                 "codec/x_test.cc": '#include "codec/vectors.h"\n#include "codec/x.h"\n', "codec/unused.h": ""}
        self.assertEqual({"codec/vectors.h"}, lint.test_headers(texts))

    def test_so_is_one_that_only_such_headers_include(self):
        texts = {"codec/vectors.h": '#include "codec/inner.h"\n', "codec/inner.h": "",
                 "codec/x_test.cc": '#include "codec/vectors.h"\n'}
        self.assertEqual({"codec/vectors.h", "codec/inner.h"}, lint.test_headers(texts))
        texts["codec/x.cc"] = '#include "codec/vectors.h"\n'
        self.assertEqual(set(), lint.test_headers(texts))

    def test_a_header_is_read_once(self):
        self.assertEqual(["pragma-once"], rules("codec/x.h", "int x;\n"))


class Coroutines(unittest.TestCase):
    def test_braces_beside_co_await(self):
        for text in ("co_await send({1, 2});", "auto x = co_await f(Point{1, 2});", "auto x = Point{co_await f()};",
                     "if (co_await f(Point{1, 2})) { g(); }", "while (co_await f({})) {}", "g(Point{1}, co_await f());",
                     "co_return co_await f(std::vector<int>{1});"):
            self.assertEqual(["co-await-braces"], body(text), text)

    def test_by_value_captures_beside_co_await(self):
        for text in ("co_await f([x] { return x; });", "co_await f([=] {});", "co_await f([x = g()](int a) { h(); });",
                     "co_await f([&, x]() mutable { x++; });", "co_await f([*this] {});"):
            self.assertEqual(["co-await-captures"], body(text), text)

    def test_named_first_is_the_way(self):
        for text in ("Point p{1, 2}; co_await f(p);", "auto g = [x] { return x; }; co_await f(g);",
                     "if (co_await f()) { Point p{1}; }", "co_await f([&] { return Point{1}; });",
                     "co_await f([this, &x] { g(); });", "for (auto& x : list) { co_await f(x[1]); }",
                     "switch (y) { case 1: { co_await f(); } default: co_await g(a[i]); }", "co_return Point{1, 2};",
                     "auto [a, b] = co_await f(); a = Point{1};", "try { co_await f(); } catch (const E& e) { g(E{1}); }"):
            self.assertEqual([], body(text), text)

    def test_a_lambda_that_is_a_coroutine_captures_nothing(self):
        for captures in ("x", "&", "this", "=", "&x"):
            self.assertIn("lambda-coroutine", body(f"spawn([{captures}]() -> awaitable<void> {{ co_await f(); }});"))
        self.assertEqual([], body("spawn([](int x) -> awaitable<void> { co_await f(x); });"))
        self.assertEqual([], body("auto f = [&] { return [](int x) -> awaitable<int> { co_return x; }; };"))

    def test_lines_are_those_of_the_source(self):
        found = list(lint.check_coroutines("x.cc", "// one\n#define A \\\n  {\nauto f() {\n  co_await g(\n    {1});\n}\n"))
        self.assertEqual([6], [line for line, _, _ in found])


class Untested(unittest.TestCase):
    def test_a_source_needs_its_test_beside_it(self):
        def check(*paths):
            return [path for path, _, _, _ in lint.check_tests(list(paths))]
        self.assertEqual(["codec/x.cc"], check("codec/x.cc", "protocol/x_test.cc", "codec/x.h"))
        self.assertEqual([], check("codec/x.cc", "codec/x_test.cc", "codec/fuzz/x_fuzz.cc", "compat-tests/c/x.cc"))


class Excuses(unittest.TestCase):
    FOUND = [("a/x.cc", 3, "untested", "no test"), ("a/x.cc", 1, "locks", "<mutex>"), ("a/x.cc", 1, "name", "bad")]

    def left(self, excuses: str) -> list[str]:
        return [row[2] for row in lint.excuse(self.FOUND, lint.read_excuses(excuses), ["a/x.cc", "a/y.cc"])]

    def test_one_with_a_reason_covers_its_rule_of_its_file_and_nothing_else(self):
        self.assertEqual(["untested", "locks", "name"], self.left("# why\n\n"))
        self.assertEqual(["locks", "name"], self.left("untested a/x.cc: it has no logic\n"))
        self.assertEqual(["untested", "locks", "name"], self.left("locks a/later.cc: not written yet\n"))

    def test_one_without_a_reason_without_need_or_for_another_rule_is_wrong(self):
        self.assertEqual(["locks", "name", "excuse"], self.left("untested a/x.cc: later"))
        self.assertEqual(["untested", "locks", "name", "excuse"], self.left("untested a/y.cc: it has no logic"))
        self.assertEqual(["untested", "locks", "name", "excuse"], self.left("name a/x.cc: it is a good name"))


class WholeRepository(unittest.TestCase):
    def test_what_git_ignores_is_not_looked_at_and_what_is_new_is(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            subprocess.run(["git", "init", "-q", folder], check=True)
            for path in ("build/generated/protocol/x.h", "codec/bad.h"):
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text("class XManager;\n", encoding="utf-8")
            (root / ".gitignore").write_text("/build/\n", encoding="utf-8")
            count, found = lint.lint(root)
        self.assertEqual(1, count)
        self.assertEqual(["codec/bad.h:1: name: XManager: Manager says nothing; Kafka's noun does",
                          "codec/bad.h:1: pragma-once: a header without #pragma once"], found)


if __name__ == "__main__":
    unittest.main()
