"""A group member over aiokafka."""

import asyncio

import aiokafka
import aiokafka.errors
import member
from aiokafka.coordinator.assignors.range import RangePartitionAssignor

REFUSED = (aiokafka.errors.CommitFailedError, aiokafka.errors.RebalanceInProgressError, aiokafka.errors.IllegalGenerationError,
           aiokafka.errors.UnknownMemberIdError, aiokafka.errors.IllegalStateError)


class Member(aiokafka.abc.ConsumerRebalanceListener):
    def __init__(self, options):
        self.log = member.Log()
        self.options = options
        self.processed = {}
        self.owned = set()
        self.consumer = aiokafka.AIOKafkaConsumer(
            bootstrap_servers=options.bootstrap,
            group_id=options.group,
            auto_offset_reset="earliest",
            enable_auto_commit=False,
            metadata_max_age_ms=1000,
            session_timeout_ms=8000,
            heartbeat_interval_ms=500,
            partition_assignment_strategy=[RangePartitionAssignor],
        )
        # A batch is processed and committed under it, so that no rebalance cuts in between.
        self.lock = asyncio.Lock()

    async def commit(self):
        self.log.flush()
        if not self.processed:
            return
        offsets = dict(self.processed)
        try:
            await self.consumer.commit(offsets)
        except REFUSED:
            return
        self.log.committed([(each.topic, each.partition, offset) for each, offset in offsets.items()])

    async def on_partitions_revoked(self, revoked):
        async with self.lock:
            await self.commit()
            self.log.owned("revoked", [(each.topic, each.partition) for each in list(revoked)])
            self.processed.clear()
            self.owned.clear()

    async def on_partitions_assigned(self, assigned):
        self.log.owned("assigned", [(each.topic, each.partition) for each in assigned])
        self.owned = set(assigned)

    async def run(self, stopped):
        self.consumer.subscribe([self.options.topic], listener=self)
        await self.consumer.start()
        while not stopped:
            polled = await self.consumer.getmany(timeout_ms=200)
            async with self.lock:
                for partition, records in polled.items():
                    if partition not in self.owned:
                        continue
                    for record in records:
                        self.log.record(record.topic, record.partition, record.offset)
                        self.processed[partition] = record.offset + 1
                if polled:
                    await self.commit()
        # It leaves without a call to the listener.
        await self.on_partitions_revoked(self.owned)
        await self.consumer.stop()
        self.log.closed()


async def main():
    flag = member.stop_flag()
    await Member(member.arguments()).run(flag)


if __name__ == "__main__":
    asyncio.run(main())
