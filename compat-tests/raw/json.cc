// Boost.JSON's code, compiled once.
#include <boost/json/src.hpp>
