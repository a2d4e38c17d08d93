"""C++ text as a tree of brackets: enough of the language to measure functions and to see what stands in one expression.

It is no parser. It knows comments, literals, brackets, and from what stands before a brace it tells what the brace is:
a namespace, a type, a function, a lambda, a block or an initializer. Preprocessor lines are skipped.
"""

import dataclasses
import re

TOKEN = re.compile(
    r"""
    (?P<skip> //(?:[^\n\\]|\\.|\\\n)* | /\*.*?\*/ | \s+ | ^[ \t]*\#(?:[^\n\\]|\\.|\\\n)* )
  | (?P<literal> (?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)"
               | (?:u8|[uUL])?"(?:\\.|[^"\\\n])*" | (?:u8|[uUL])?'(?:\\.|[^'\\\n])*' )
  | (?P<number> \.?\d(?:'?[\w.]|(?<=[eEpP])[+-])* )
  | (?P<word> [A-Za-z_]\w* )
  | (?P<mark> :: | -> | && | \S )
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)

CLOSER = {"(": ")", "[": "]", "{": "}"}
SCOPES = ("file", "namespace", "type")
SPECIFIERS = {"const", "noexcept", "override", "final", "mutable", "volatile", "constexpr", "try", "&", "&&"}
BEFORE_A_TYPE = {"typedef", "static", "inline", "const", "constexpr", "public", "private", "protected", ":"}
AWAITS = {"co_await", "co_yield", "co_return"}


@dataclasses.dataclass
class Token:
    text: str
    line: int
    is_word: bool = False


@dataclasses.dataclass
class Group:
    """A pair of brackets. `kind` is "(" or "[", or for a brace what it is; `head` is what led to the brace."""

    kind: str
    line: int
    children: list
    end_line: int = 0
    head: list = dataclasses.field(default_factory=list)
    captures: "Group | None" = None

    @property
    def text(self) -> str:
        return self.kind


def tokens(text: str) -> list[Token]:
    found, line, position = [], 1, 0
    while match := TOKEN.match(text, position):
        if not match["skip"]:
            shown = match["word"] or match["mark"] or ("0" if match["number"] else '""')
            found.append(Token(shown, line, bool(match["word"])))
        line += match[0].count("\n")
        position = match.end()
    return found


def is_block(node) -> bool:
    """Whether the node ends a statement: a brace that is neither an initializer nor a lambda's body."""
    return isinstance(node, Group) and node.kind in ("namespace", "type", "function", "block")


def parse(text: str) -> Group:
    root = Group("file", 1, [])
    stack = [(root, "")]
    for token in tokens(text):
        group, closer = stack[-1]
        if token.text in CLOSER:
            opened = open_group(token, group)
            group.children.append(opened)
            stack.append((opened, CLOSER[token.text]))
        elif token.text == closer:
            group.end_line = token.line
            stack.pop()
        elif token.text not in (")", "]", "}"):
            group.children.append(token)
    root.end_line = text.count("\n") + 1
    return root


def open_group(token: Token, parent: Group) -> Group:
    if token.text != "{":
        return Group(token.text, token.line, [])
    in_list = parent.kind in ("init", "(", "[")
    head = []
    for node in reversed(parent.children):
        if node.text == ";" or is_block(node) or (in_list and node.text == ","):
            break
        head.append(node)
    head.reverse()
    group = Group("", token.line, [], head=head)
    group.captures = lambda_captures(head)
    group.kind = "lambda" if group.captures else brace_kind(head, parent)
    return group


def without_template_prefix(head: list) -> list:
    while len(head) > 1 and head[0].text == "template" and head[1].text == "<":
        depth = 0
        for index, node in enumerate(head):
            depth += {"<": 1, ">": -1}.get(node.text, 0)
            if index > 0 and depth == 0:
                head = head[index + 1 :]
                break
        else:
            break
    return head


def brace_kind(head: list, parent: Group) -> str:
    in_scope = parent.kind in SCOPES
    body = "function" if in_scope else "block"
    if not head:
        return "init" if parent.kind in ("init", "(", "[") else "block"
    last, words = head[-1], [node.text for node in without_template_prefix(head)]
    if "namespace" in words or (words[0] == "extern" and last.text == '""'):
        return "namespace"
    if parent.kind in ("init", "(", "["):
        return "init"
    declared = next((word for word in words if word not in BEFORE_A_TYPE), "")
    if declared in ("class", "struct", "union", "enum") and last.text != "(":
        return "type"
    if last.text in ("(", "else", "do", "try", ":", "requires"):
        return "block" if last.text in ("else", "do") else body
    if isinstance(last, Group) and last.kind == "init":
        return body
    return body if ends_a_signature(head, in_scope) else "init"


def ends_a_signature(head: list, in_scope: bool) -> bool:
    """Whether specifiers, a trailing return type or a constraint are all that follows the last parameter list."""
    index = len(head) - 1
    while index >= 0 and head[index].text in SPECIFIERS:
        index -= 1
    if index >= 0 and head[index].text == "(":
        return True
    if not in_scope:
        return False
    texts = [node.text for node in head]
    after = texts[len(texts) - texts[::-1].index("(") :] if "(" in texts else []
    return "->" in after or ("requires" in texts and "(" in texts and "=" not in texts)


def lambda_captures(head: list) -> Group | None:
    """The capture list, if a brace after `head` is the body of a lambda."""
    index = len(head) - 1
    arrow = next((i for i in range(index, -1, -1) if head[i].text == "->"), None)
    if arrow is not None and arrow > 0 and not any(n.text in ("(", ";", "=") for n in head[arrow:]):
        index = arrow - 1
    while index >= 0 and head[index].text in SPECIFIERS:
        index -= 1
    if index >= 0 and head[index].text == "(":
        index -= 1
    if index >= 0 and head[index].text == ">":
        depth = 0
        while index >= 0:
            depth += {">": 1, "<": -1}.get(head[index].text, 0)
            index -= 1
            if depth == 0:
                break
    return head[index] if index >= 0 and is_capture_list(head, index) else None


def is_capture_list(nodes: list, index: int) -> bool:
    node = nodes[index]
    if not isinstance(node, Group) or node.kind != "[":
        return False
    if node.children and isinstance(node.children[0], Group) and node.children[0].kind == "[":
        return False  # an attribute
    if index == 0:
        return True
    before = nodes[index - 1]
    if isinstance(before, Group):
        return before.kind not in ("(", "[", "init", "lambda")
    if before.text in ("return", "co_return", "co_await", "co_yield", "case"):
        return True
    return not before.is_word and before.text not in ('""', ">")


def walk(group: Group):
    """All groups below `group`, outermost first."""
    for node in group.children:
        if isinstance(node, Group):
            yield node
            yield from walk(node)


def functions(root: Group):
    """(name, first line, last line) of each function that is not inside another."""
    for node in root.children:
        if not isinstance(node, Group):
            continue
        if node.kind in ("namespace", "type"):
            yield from functions(node)
        elif node.kind == "function":
            yield function_name(node.head), node.line, node.end_line


def function_name(head: list) -> str:
    for index, node in enumerate(head):
        if index > 0 and node.text == "(" and isinstance(head[index - 1], Token) and head[index - 1].is_word:
            name = head[index - 1].text
            return f"{name}({', '.join(n.text for n in node.children if n.text != ',')})" if name.isupper() else name
    return "function"


def statements(block: Group):
    """The statements directly in a body, each as a list of nodes; the blocks between them are left out."""
    statement: list = []
    for node in block.children:
        if node.text == ";" or is_block(node):
            if statement:
                yield statement
            statement = []
        else:
            statement.append(node)
    if statement:
        yield statement


def expression_nodes(nodes: list):
    """The nodes of one full expression, with what is in its brackets, without the bodies of its lambdas."""
    for index, node in enumerate(nodes):
        yield nodes, index
        if isinstance(node, Group) and node.kind in ("(", "[", "init"):
            yield from expression_nodes(node.children)


def captures_by_value(captures: Group) -> bool:
    """Whether anything but references and `this` is captured."""
    item: list[str] = []
    for text in [node.text for node in captures.children] + [","]:
        if text != ",":
            item.append(text)
            continue
        if item and item[0] != "&" and item != ["this"]:
            return True
        item = []
    return False


def own_awaits(body: Group) -> bool:
    """Whether the body itself (not a lambda inside it) is a coroutine."""
    for node in body.children:
        if isinstance(node, Token) and node.text in AWAITS:
            return True
        if isinstance(node, Group) and node.kind != "lambda" and own_awaits(node):
            return True
    return False
