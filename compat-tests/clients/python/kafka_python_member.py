"""A group member over kafka-python."""

import kafka
import kafka.errors
import member
from kafka.coordinator.assignors.range import RangePartitionAssignor

REFUSED = (kafka.errors.CommitFailedError, kafka.errors.RebalanceInProgressError)


class Member(kafka.ConsumerRebalanceListener):
    def __init__(self, options):
        self.log = member.Log()
        self.processed = {}
        self.consumer = kafka.KafkaConsumer(
            bootstrap_servers=options.bootstrap,
            group_id=options.group,
            auto_offset_reset="earliest",
            enable_auto_commit=False,
            metadata_max_age_ms=1000,
            session_timeout_ms=8000,
            heartbeat_interval_ms=500,
            partition_assignment_strategy=[RangePartitionAssignor],
        )
        self.consumer.subscribe([options.topic], listener=self)

    def commit(self, partitions):
        self.log.flush()
        offsets = {each: self.processed[each] for each in partitions if each in self.processed}
        if not offsets:
            return
        try:
            self.consumer.commit({each: kafka.OffsetAndMetadata(offset, "", -1) for each, offset in offsets.items()})
        except REFUSED:
            return
        self.log.committed([(each.topic, each.partition, offset) for each, offset in offsets.items()])

    def on_partitions_assigned(self, assigned):
        self.log.owned("assigned", [(each.topic, each.partition) for each in assigned])

    def on_partitions_revoked(self, revoked):
        """A listener must not wait for the server; what was polled was committed after the poll."""
        self.give_up("revoked", revoked)

    def on_partitions_lost(self, lost):
        self.give_up("lost", lost)

    def give_up(self, event, partitions):
        self.log.owned(event, [(each.topic, each.partition) for each in partitions])
        for each in partitions:
            self.processed.pop(each, None)

    def run(self, stopped):
        while not stopped:
            polled = self.consumer.poll(timeout_ms=200)
            for partition, records in polled.items():
                for record in records:
                    self.log.record(record.topic, record.partition, record.offset)
                    self.processed[partition] = record.offset + 1
            if polled:
                self.commit(list(self.processed))
        self.commit(list(self.processed))
        # It leaves without a call to the listener.
        self.on_partitions_revoked(self.consumer.assignment())
        self.consumer.close()
        self.log.closed()


if __name__ == "__main__":
    flag = member.stop_flag()
    Member(member.arguments()).run(flag)
