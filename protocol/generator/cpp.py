"""Writes C++ for pages: a header of plain structs per API or message, and the tables that the codec walks."""

import re


NOTICE = "// Written by protocol/generator from protocol/schema/{}.schema. Do not edit.\n"

VALUE_TYPES = {
    "bool": "bool",
    "int8": "std::int8_t",
    "int16": "std::int16_t",
    "uint16": "std::uint16_t",
    "int32": "std::int32_t",
    "uint32": "std::uint32_t",
    "int64": "std::int64_t",
    "float64": "double",
    "uuid": "codec::Uuid",
    "string": "std::string",
    "bytes": "codec::Blob",
    "records": "Records",
}
WIRE_SIZES = {"bool": 1, "int8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "int64": 8, "float64": 8, "uuid": 16}
# Kafka's spelling has one word with a capital inside.
WORDS = {"KRaft": "Kraft"}
KEYWORDS = {"default", "operator", "namespace", "class", "new", "delete", "register", "template", "union", "export"}


def snake_case(name):
    for word, plain in WORDS.items():
        name = name.replace(word, plain)
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
    return name + "_" if name in KEYWORDS else name


def is_optional(field):
    """`Records` knows null by itself."""
    return bool(field.nullable) and field.type != "records"


def member_type(field):
    result = VALUE_TYPES.get(field.type, field.type)
    if field.is_array:
        result = f"std::vector<{result}>"
    return f"std::optional<{result}>" if is_optional(field) else result


def initializer(field):
    if field.type == "records":
        return " = Records::null()"
    if field.default == "null":
        return ""
    if is_optional(field):
        if field.default is None:
            return f" = {member_type(field).removeprefix('std::optional<')[:-1]}{{}}"
        return f' = "{field.default}"'
    if field.type == "string" and not field.is_array and field.default:
        return f' = "{field.default}"'
    if field.is_array or field.type not in WIRE_SIZES or field.type == "uuid":
        return ""
    if field.type == "bool":
        return f" = {field.default or 'false'}"
    if field.default == str(-(2**63)) or field.default == str(-(2**31)):
        return f" = std::numeric_limits<{VALUE_TYPES[field.type]}>::min()"
    return f" = {field.default or 0}"


def header_groups(page):
    """(header name, messages): an API's request and response together, every other message by itself."""
    live = [message for message in page.messages if message.versions]
    if page.api_name:
        return [(snake_case(page.api_name), live)] if live else []
    return [(snake_case(message.name), [message]) for message in live]


def struct_members(struct, flexible, indent):
    lines = [f"{indent}{member_type(field)} {snake_case(field.name)}{initializer(field)};" for field in struct.fields]
    if flexible:
        lines.append(f"{indent}UnknownTags unknown_tags;")
    return lines


def message_struct(message):
    key = {"request": "api_key", "response": "api_key"}.get(message.kind, "record_type")
    constants = [("min_version", message.versions.first), ("max_version", message.versions.last)]
    if message.key is not None:
        constants.insert(0, (key, message.key))
    first_flexible = message.flexible.first if message.flexible else "never_flexible"
    constants.append(("first_flexible_version", first_flexible))
    lines = []
    if message.structs:
        # Not nested in the text: clang cannot construct a std::optional of a nested struct whose initializers it has
        # not seen yet, and it sees them at the end of the outer struct.
        lines += [f"namespace {snake_case(message.name)}_structs {{"]
        for struct in message.structs:
            lines += ["", f"struct {struct.name} {{"] + struct_members(struct, message.flexible, "  ")
            lines += ["", f"  bool operator==(const {struct.name}&) const = default;", "};"]
        lines += ["", f"}}  // namespace {snake_case(message.name)}_structs", ""]
    lines.append(f"struct {message.name} {{")
    lines += [f"  static constexpr std::int16_t {name} = {value};" for name, value in constants]
    if message.structs:
        lines.append("")
    for struct in message.structs:
        lines.append(f"  using {struct.name} = {snake_case(message.name)}_structs::{struct.name};")
    lines.append("")
    lines += struct_members(message.root, message.flexible, "  ")
    lines += ["", f"  bool operator==(const {message.name}&) const = default;"]
    lines += ["  static const MessageSchema& schema();", "};"]
    lines.append(f"void decode(codec::Reader& reader, std::int16_t version, {message.name}& message);")
    lines.append(f"void encode(codec::Writer& writer, std::int16_t version, const {message.name}& message);")
    return lines


def header(page, messages):
    lines = [NOTICE.format(page.name) + "#pragma once", ""]
    lines += [f"#include <{name}>" for name in ("cstdint", "limits", "optional", "string", "vector")]
    lines.append("")
    for name in ("codec/bytes.h", "codec/reader.h", "codec/uuid.h", "codec/writer.h", "protocol/message_schema.h"):
        lines.append(f'#include "{name}"')
    lines += ['#include "protocol/records.h"', '#include "protocol/unknown_tags.h"', "", "namespace dohle::protocol {"]
    for message in messages:
        lines += [""] + message_struct(message)
    return "\n".join(lines + ["", "}  // namespace dohle::protocol", ""])


def field_min_size(field, version, flexible):
    """The fewest bytes of a field that is present and has no tag."""
    compact = flexible and not field.inflexible
    if field.is_array:
        return 1 if compact else 4
    if field.type in WIRE_SIZES:
        return WIRE_SIZES[field.type]
    if field.struct:
        return 1 if version in field.nullable else struct_min_size(field.struct, version, flexible)
    if compact:
        return 1
    return 2 if field.type == "string" else 4


def struct_min_size(struct, version, flexible):
    present = [f for f in struct.fields if version in f.versions and version not in f.tagged]
    return sum(field_min_size(f, version, flexible) for f in present) + (1 if flexible else 0)


def min_size(struct, message):
    return min(struct_min_size(struct, version, version in message.flexible) for version in struct.versions)


def versions(value):
    return f"{{{value.first}, {value.last}}}"


def field_row(field, message, struct_path):
    name = field.name[0].lower() + field.name[1:]
    kinds = {"bool": "boolean", **{name: name for name in VALUE_TYPES if name != "bool"}}
    parts = [
        f'.name = "{name}"',
        f".offset = offsetof({struct_path}, {snake_case(field.name)})",
        f".type = FieldType::{kinds.get(field.type, 'structure')}",
    ]
    parts += [f".{flag} = true" for flag in ("inflexible", "ignorable") if getattr(field, flag)]
    if field.default == "null" or field.type == "records":
        parts.append(".default_is_null = true")
    parts.append(f".versions = {versions(field.versions)}")
    if field.nullable:
        parts.append(f".nullable = {versions(field.nullable)}")
    if field.tag is not None:
        parts += [f".tagged = {versions(field.tagged)}", f".tag = {field.tag}"]
    if field.default not in (None, "null"):
        parts += default_parts(field)
    if field.struct:
        parts.append(f".structure = &{table_name(message, field.struct)}")
    bare = VALUE_TYPES.get(field.type) or f"{message.name}::{field.type}"
    if field.is_array:
        parts.append(f".list = &list_access<{bare}>")
        bare = f"std::vector<{bare}>"
    if is_optional(field):
        parts.append(f".optional = &optional_access<{bare}>")
    return "    {" + ", ".join(parts) + "},"


def default_parts(field):
    if field.type == "string":
        return [f'.default_text = "{field.default}"']
    if field.type == "bool":
        return [f".default_number = {1 if field.default == 'true' else 0}"]
    if field.default == str(-(2**63)):
        return [".default_number = std::numeric_limits<std::int64_t>::min()"]
    return [f".default_number = {field.default}"]


def table_name(message, struct):
    return snake_case(message.name) + ("" if struct is message.root else "__" + snake_case(struct.name))


def struct_table(message, struct):
    name = table_name(message, struct)
    path = message.name if struct is message.root else f"{message.name}::{struct.name}"
    lines = []
    fields = "{}"
    if struct.fields:
        lines.append(f"constexpr Field {name}_fields[] = {{")
        lines += [field_row(field, message, path) for field in struct.fields]
        lines.append("};")
        fields = f"{name}_fields"
    tags = f"offsetof({path}, unknown_tags)" if message.flexible else "no_unknown_tags"
    has_tagged = "true" if any(field.tag is not None for field in struct.fields) else "false"
    lines.append(f'constexpr StructSchema {name} = {{"{struct.name}", {fields}, {tags}, '
                 f"{min_size(struct, message)}, {has_tagged}}};")
    return lines


def message_definitions(message):
    first_flexible = message.flexible.first if message.flexible else "never_flexible"
    key = -1 if message.key is None else message.key
    name = table_name(message, message.root)
    return [
        f"constexpr MessageSchema {name}_message = {{",
        f'    "{message.name}", MessageKind::{message.kind.replace("-", "_")}, {key}, {versions(message.versions)},',
        f"    {first_flexible}, &{name}, [] {{ return static_cast<void*>(new {message.name}); }},",
        f"    [](void* message) {{ delete static_cast<{message.name}*>(message); }}}};",
        "",
        "}  // namespace",
        f"const MessageSchema& {message.name}::schema() {{ return {name}_message; }}",
        f"void decode(codec::Reader& reader, std::int16_t version, {message.name}& message) {{",
        "  message = {};",
        f"  decode_message(reader, version, {name}_message, &message);",
        "}",
        f"void encode(codec::Writer& writer, std::int16_t version, const {message.name}& message) {{",
        f"  encode_message(writer, version, {name}_message, &message);",
        "}",
    ]


def tables(pages):
    """One translation unit for some pages."""
    names = [name for page in pages for name, _ in header_groups(page)]
    lines = ["// Written by protocol/generator. Do not edit.", "#include <cstddef>", ""]
    lines += [f'#include "protocol/messages/{name}.h"' for name in names]
    lines += ['#include "protocol/message_codec.h"', "", "namespace dohle::protocol {"]
    for page in pages:
        for _, messages in header_groups(page):
            for message in messages:
                lines += ["", "namespace {"]
                for struct in message.structs + [message.root]:
                    lines += struct_table(message, struct)
                lines += message_definitions(message)
    return "\n".join(lines + ["", "}  // namespace dohle::protocol", ""])


def registry(pages):
    """The lists of all messages and all APIs."""
    groups = [group for page in pages for group in header_groups(page)]
    lines = ["// Written by protocol/generator. Do not edit.", '#include "protocol/api_key.h"']
    lines += [f'#include "protocol/messages/{name}.h"' for name, _ in groups]
    lines += ["", "namespace dohle::protocol {", "", "std::span<const MessageSchema* const> all_messages() {"]
    lines.append("  static const MessageSchema* const messages[] = {")
    lines += [f"      &{message.name}::schema()," for _, messages in groups for message in messages]
    lines += ["  };", "  return messages;", "}", "", "std::span<const ApiInfo> all_apis() {"]
    lines.append("  static const ApiInfo apis[] = {")
    lines += [api_row(page) for page in api_pages(pages)]
    lines += ["  };", "  return apis;", "}", "", "}  // namespace dohle::protocol", ""]
    return "\n".join(lines)


def api_pages(pages):
    return sorted((page for page in pages if page.api_name), key=lambda page: page.api_key)


def api_row(page):
    request, response = page.messages
    name = snake_case(page.api_name)
    flags = ["true" if listener in page.listeners else "false" for listener in ("broker", "controller")]
    start = f'      {{ApiKey::{name}, "{page.api_name}", {versions(request.versions)}, '
    if not request.versions:
        return start + f"{versions(request.versions)}, never_flexible, false, false, nullptr, nullptr}},"
    stable = f"{{{request.versions.first}, {request.versions.last - (1 if request.unstable else 0)}}}"
    flexible = request.flexible.first if request.flexible else "never_flexible"
    schemas = f"&{request.name}::schema(), &{response.name}::schema()"
    return start + f"{stable}, {flexible}, {', '.join(flags)}, {schemas}}},"


def api_keys(pages):
    lines = ["// Written by protocol/generator. Do not edit.", "#pragma once", "", "#include <cstdint>", ""]
    lines += ["namespace dohle::protocol {", "", "enum class ApiKey : std::int16_t {"]
    lines += [f"  {snake_case(page.api_name)} = {page.api_key}," for page in api_pages(pages)]
    return "\n".join(lines + ["};", "", "}  // namespace dohle::protocol", ""])


def weight(page):
    return sum(len(struct.fields) + 4 for message in page.messages for struct in message.structs + [message.root])


def split(pages, parts):
    """Pages dealt out to `parts` translation units of about the same size, always in the same way."""
    bins = [[] for _ in range(parts)]
    for page in sorted(pages, key=lambda page: (-weight(page), page.name)):
        min(bins, key=lambda bin: sum(weight(other) for other in bin)).append(page)
    return [sorted(bin, key=lambda page: page.name) for bin in bins]


def outputs(pages, parts):
    """Every file as {path under the output folder: text}."""
    files = {"api_keys.h": api_keys(pages), "registry.cc": registry(pages)}
    for page in pages:
        for name, messages in header_groups(page):
            if f"{name}.h" in files:
                raise ValueError(f"two messages want {name}.h")
            files[f"{name}.h"] = header(page, messages)
    for number, bin in enumerate(split(pages, parts)):
        files[f"tables_{number}.cc"] = tables(bin)
    return files


