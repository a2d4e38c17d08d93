// The lines of the offset checkpoints: who writes whole files, and who takes lines out of them.
#pragma once

#include <mutex>
#include <set>

#include "server/log/checkpoint_file.h"
#include "server/log/log_directories.h"

namespace dohle::replica {

/// Held from the moment at which the offsets are collected until the files are written. The files of all directories
/// share it, since they are written seldom.
std::mutex& checkpoint_lock();

/// Takes the lines of these partitions out of the recovery point, log start and high watermark checkpoints of all
/// directories that are online: before logs of these names are made. A line of a topic that was deleted would be taken
/// for the new one's after a crash: then what was never synced counts as flushed, or the log begins above its end and
/// is thrown away. Source: LogManager.asyncDelete, which writes the checkpoints anew.
void forget_lines(log::LogDirectories& directories, const std::set<log::TopicPartition>& partitions);

}  // namespace dohle::replica
