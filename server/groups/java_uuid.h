// java.util.UUID.randomUUID().toString(), which member ids end with.
#pragma once

#include <string>

#include "codec/uuid.h"

namespace dohle::groups {

/// 8-4-4-4-12 hexadecimal digits in lower case.
std::string java_uuid_text(const codec::Uuid& id);
std::string random_java_uuid();

}  // namespace dohle::groups
