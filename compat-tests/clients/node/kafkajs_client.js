// The client driver and the group member (README.md) over kafkajs. It can't consume without a group: `produce` and `member`
// are all that it has.
'use strict'

const fs = require('fs')
const { createRequire } = require('module')
// The packages are installed in the cache, from this folder's package-lock.json.
const load = createRequire(process.env.DOHLE_NODE_MODULES + '/x.js')
const { Kafka, CompressionTypes, CompressionCodecs, logLevel } = load('kafkajs')

const options = {}
for (let i = 3; i + 1 < process.argv.length; i += 2) options[process.argv[i].slice(2)] = process.argv[i + 1]

// kafkajs has gzip alone; others are plugged in. Kafka's snappy is the format of snappy-java: a header, then blocks.
const XERIAL_HEADER = Buffer.from([130, 83, 78, 65, 80, 80, 89, 0, 0, 0, 0, 1, 0, 0, 0, 1])
// lz4js links its blocks, which Kafka refuses. A block alone in its frame is linked to nothing, so frames of one block each
// give up their blocks to a frame that says so: version 1, independent blocks of 4 MiB, and the checksum of those two bytes.
const LZ4_HEADER = Buffer.from([4, 34, 77, 24, 0x60, 0x70, 0x73])
const LZ4_END = Buffer.alloc(4)
function lz4Frame(lz4, buffer) {
  const blocks = []
  for (let at = 0; at < buffer.length; at += 4 << 20) {
    const frame = Buffer.from(lz4.compress(buffer.subarray(at, at + (4 << 20))))
    blocks.push(frame.subarray(LZ4_HEADER.length, frame.length - LZ4_END.length))
  }
  return Buffer.concat([LZ4_HEADER, ...blocks, LZ4_END])
}

function plugCodecs(zstd) {
  const snappy = load('snappyjs')
  const lz4 = load('lz4js')
  CompressionCodecs[CompressionTypes.Snappy] = () => ({
    compress: async ({ buffer }) => {
      const block = Buffer.from(snappy.compress(buffer))
      const size = Buffer.alloc(4)
      size.writeInt32BE(block.length)
      return Buffer.concat([XERIAL_HEADER, size, block])
    },
    decompress: async buffer => {
      if (!buffer.subarray(0, 8).equals(XERIAL_HEADER.subarray(0, 8))) return Buffer.from(snappy.uncompress(buffer))
      const parts = []
      for (let at = 16; at < buffer.length; at += 4 + buffer.readInt32BE(at)) {
        parts.push(Buffer.from(snappy.uncompress(buffer.subarray(at + 4, at + 4 + buffer.readInt32BE(at)))))
      }
      return Buffer.concat(parts)
    },
  })
  CompressionCodecs[CompressionTypes.LZ4] = () => ({
    compress: async ({ buffer }) => lz4Frame(lz4, buffer),
    decompress: async buffer => Buffer.from(lz4.decompress(buffer)),
  })
  CompressionCodecs[CompressionTypes.ZSTD] = () => ({
    compress: async ({ buffer }) => Buffer.from(zstd.compress(buffer)),
    decompress: async buffer => Buffer.from(zstd.decompress(buffer)),
  })
}

const kafka = new Kafka({ clientId: 'kafkajs', brokers: [options.bootstrap], logLevel: logLevel.ERROR, requestTimeout: 60000 })

function toBytes(text) {
  return text === null ? null : Buffer.from(text, 'base64')
}

async function produce() {
  const { Zstd } = load('@hpcc-js/wasm-zstd')
  plugCodecs(await Zstd.load())
  const types = {
    none: CompressionTypes.None,
    gzip: CompressionTypes.GZIP,
    snappy: CompressionTypes.Snappy,
    lz4: CompressionTypes.LZ4,
    zstd: CompressionTypes.ZSTD,
  }
  const messages = []
  for (const line of fs.readFileSync(0, 'ascii').split('\n').filter(Boolean)) {
    const node = JSON.parse(line)
    const headers = {}
    // A header name that comes twice is an array of values.
    for (const [name, text] of node.headers) (headers[name] = headers[name] || []).push(toBytes(text))
    messages.push({ key: toBytes(node.key), value: toBytes(node.value), headers, partition: Number(options.partition) })
  }
  const producer = kafka.producer({ allowAutoTopicCreation: true, idempotent: true })
  await producer.connect()
  const [answer] = await producer.send({ topic: options.topic, messages, compression: types[options.codec], acks: -1 })
  await producer.disconnect()
  const first = Number(answer.baseOffset)
  process.stdout.write(JSON.stringify({ offsets: messages.map((_, index) => first + index) }) + '\n')
}

// A write to a file is synchronous, so what was logged as processed is in the log before the commit.
function log(event, rest) {
  fs.writeSync(1, JSON.stringify({ t: Number(process.hrtime.bigint()), event, ...rest }) + '\n')
}

async function member() {
  let owned = []
  const consumer = kafka.consumer({
    groupId: options.group,
    sessionTimeout: 8000,
    heartbeatInterval: 500,
    metadataMaxAge: 1000,
    maxWaitTimeInMs: 200,
    rebalanceTimeout: 20000,
  })
  const giveUp = () => {
    log('revoked', { partitions: owned })
    owned = []
  }
  consumer.on(consumer.events.REBALANCING, giveUp)
  consumer.on(consumer.events.CRASH, giveUp)
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    if (owned.length) giveUp()
    for (const [topic, numbers] of Object.entries(payload.memberAssignment)) {
      for (const partition of numbers) owned.push([topic, partition])
    }
    log('assigned', { partitions: owned })
  })
  const owns = (topic, partition) => owned.some(each => each[0] === topic && each[1] === partition)
  await consumer.connect()
  await consumer.subscribe({ topics: [options.topic], fromBeginning: true })
  await consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: 3,
    eachBatch: async ({ batch, resolveOffset, heartbeat, commitOffsetsIfNecessary, isRunning, isStale }) => {
      const { topic, partition } = batch
      let last = null
      for (const { offset } of batch.messages) {
        if (!isRunning() || isStale() || !owns(topic, partition)) break
        log('record', { at: [topic, partition, Number(offset)] })
        resolveOffset(offset)
        last = Number(offset)
      }
      if (last !== null) {
        await commitOffsetsIfNecessary({ topics: [{ topic, partitions: [{ partition, offset: String(last + 1) }] }] })
        log('committed', { offsets: [[topic, partition, last + 1]] })
      }
      await heartbeat()
    },
  })
  process.on('SIGTERM', async () => {
    giveUp()
    await consumer.disconnect()
    log('closed', {})
    process.exit(0)
  })
}

const run = process.argv[2] === 'produce' ? produce : member
run().catch(error => {
  console.error(error)
  process.exit(1)
})
