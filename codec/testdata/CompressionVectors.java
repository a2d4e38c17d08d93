// Writes compression_vectors.txt: what Kafka's streams make of known input, and what its readers make of odd input.
//
//   java -cp 'LIBS/*' codec/testdata/CompressionVectors.java > codec/testdata/compression_vectors.txt
//
// where LIBS holds the jars of Apache Kafka 4.4.0. Lines:
//   written CODEC LEVEL INPUT-SIZE CRC32C-OF-INPUT HEX       what the writer makes of input(INPUT-SIZE)
//   read CODEC NAME HEX SIZE CRC32C                          what the reader makes of HEX; "fails" when it throws
// input(n) is the text below, which the test builds too.
import java.io.*;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.zip.CRC32C;
import org.apache.kafka.common.compress.*;
import org.apache.kafka.common.utils.internals.*;

public class CompressionVectors {
  static byte[] input(int size) {
    byte[] out = new byte[size];
    int state = 1;
    for (int i = 0; i < size; i++) {
      state = state * 1103515245 + 12345;
      out[i] = (byte) (i > 1024 && (i / 64) % 32 != 0 || (i / 64) % 3 == 0 ? 'a' + i % 7 : 'a' + ((state >>> 16) & 15));
    }
    return out;
  }

  static String hex(byte[] bytes) { return bytes.length == 0 ? "-" : HexFormat.of().formatHex(bytes); }

  static long crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return crc.getValue();
  }

  static byte[] write(Compression codec, byte[] in) throws Exception {
    ByteBufferOutputStream buffer = new ByteBufferOutputStream(64);
    OutputStream out = codec.wrapForOutput(buffer, (byte) 2);
    out.write(in);
    out.close();
    ByteBuffer written = buffer.buffer();
    written.flip();
    byte[] bytes = new byte[written.remaining()];
    written.get(bytes);
    return bytes;
  }

  static void written(Compression codec, int level, int size) throws Exception {
    byte[] in = input(size);
    System.out.println("written " + codec.type() + " " + level + " " + size + " " + crc(in) + " " + hex(write(codec, in)));
  }

  static void read(String codec, String name, byte[] in) {
    String result;
    try {
      InputStream stream = Compression.of(codec).build().wrapForInput(ByteBuffer.wrap(in), (byte) 2, BufferSupplier.NO_CACHING);
      byte[] out = stream.readAllBytes();
      result = out.length + " " + crc(out);
    } catch (Throwable e) {
      result = "fails";
    }
    System.out.println("read " + codec + " " + name + " " + hex(in) + " " + result);
  }

  static byte[] join(byte[]... parts) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) out.write(part);
    return out.toByteArray();
  }

  static byte[] bytes(String hex) { return HexFormat.of().parseHex(hex); }

  static byte[] with(byte[] in, int index, int value) {
    byte[] out = in.clone();
    out[index < 0 ? out.length + index : index] = (byte) value;
    return out;
  }

  static byte[] head(byte[] in, int size) { return Arrays.copyOf(in, size < 0 ? in.length + size : size); }

  static byte[] insert(byte[] in, int at, byte[] what) throws Exception {
    return join(head(in, at), what, Arrays.copyOfRange(in, at, in.length));
  }

  static void gzip() throws Exception {
    byte[] one = write(Compression.gzip().build(), input(300));
    read("gzip", "member", one);
    read("gzip", "empty", new byte[0]);
    read("gzip", "two-members", join(one, one));
    read("gzip", "garbage-after", join(one, bytes("00112233445566778899aabbccddeeff00112233445566")));
    read("gzip", "short-garbage-after", join(one, bytes("0011")));
    read("gzip", "half-member-after", join(one, head(one, 40)));
    read("gzip", "header-only-after", join(one, head(one, 12)));
    read("gzip", "bad-crc", with(one, -8, one[one.length - 8] ^ 1));
    read("gzip", "bad-size", with(one, -1, 1));
    read("gzip", "cut-trailer", head(one, -3));
    read("gzip", "cut-data", head(one, 60));
    read("gzip", "bad-magic", with(one, 0, 0));
    read("gzip", "bad-method", with(one, 2, 7));
    read("gzip", "reserved-flags", with(one, 3, 0xe0));
    read("gzip", "name", insert(with(one, 3, 8), 10, bytes("616200")));
    read("gzip", "comment-and-extra", insert(with(one, 3, 0x14), 10, bytes("030001020363640a00")));
    read("gzip", "unended-name", head(insert(with(one, 3, 8), 10, bytes("6162")), 12));
    read("gzip", "bad-header-crc", insert(with(one, 3, 2), 10, bytes("0000")));
    java.util.zip.CRC32 crc = new java.util.zip.CRC32();
    crc.update(with(one, 3, 2), 0, 10);
    read("gzip", "good-header-crc", insert(with(one, 3, 2), 10, new byte[] {(byte) crc.getValue(), (byte) (crc.getValue() >> 8)}));
    read("gzip", "bad-deflate", with(one, 10, 0xff));
  }

  static void snappy() throws Exception {
    byte[] framed = write(Compression.snappy().build(), input(300));
    byte[] raw = org.xerial.snappy.Snappy.compress(input(300));
    read("snappy", "framed", framed);
    read("snappy", "raw", raw);
    read("snappy", "raw-short", org.xerial.snappy.Snappy.compress(input(3)));
    read("snappy", "raw-of-nothing", org.xerial.snappy.Snappy.compress(new byte[0]));
    read("snappy", "empty", new byte[0]);
    read("snappy", "header-only", head(framed, 16));
    read("snappy", "cut-header", head(framed, 15));
    read("snappy", "little-endian-versions", with(with(with(with(framed, 8, 1), 11, 0), 12, 1), 15, 0));
    read("snappy", "version-zero", with(framed, 11, 0));
    read("snappy", "version-negative", with(framed, 8, 0xff));
    read("snappy", "compatible-two", with(framed, 15, 2));
    read("snappy", "concatenated", join(framed, framed));
    read("snappy", "concatenated-version-zero", join(framed, with(framed, 11, 0)));
    read("snappy", "concatenated-other-magic", join(framed, with(framed, 5, 0)));
    read("snappy", "concatenated-cut-header", join(framed, head(framed, 10)));
    read("snappy", "three-bytes-after", join(framed, bytes("010203")));
    read("snappy", "negative-chunk", join(framed, bytes("ffffffff0000")));
    read("snappy", "large-chunk", join(framed, bytes("20000001")));
    read("snappy", "empty-chunk", join(framed, bytes("00000000")));
    read("snappy", "chunk-of-nothing", join(framed, bytes("0000000100"), Arrays.copyOfRange(framed, 16, framed.length)));
    read("snappy", "cut-chunk", head(framed, -1));
    read("snappy", "raw-cut", head(raw, -1));
    read("snappy", "raw-longer", join(raw, bytes("0041")));
    read("snappy", "raw-offset-zero", bytes("0804414243440100"));
    read("snappy", "bad-magic", with(framed, 1, 'T'));
    read("snappy", "raw-overlapping-copy", bytes("0a0061" + "1501" + "00"));
    read("snappy", "raw-repeat", bytes("0a00612201" + "00"));
  }

  static byte[] lz4Frame(int flags, int block, String extra, byte[] blocks) throws Exception {
    byte[] descriptor = join(new byte[] {(byte) flags, (byte) block}, bytes(extra));
    int hash = net.jpountz.xxhash.XXHashFactory.safeInstance().hash32().hash(descriptor, 0, descriptor.length, 0);
    return join(bytes("04224d18"), descriptor, new byte[] {(byte) (hash >> 8)}, blocks);
  }

  static void lz4() throws Exception {
    byte[] one = write(Compression.lz4().build(), input(300));
    byte[] blocks = Arrays.copyOfRange(one, 7, one.length);
    byte[] data = Arrays.copyOfRange(blocks, 4, blocks.length - 4);
    int sum = net.jpountz.xxhash.XXHashFactory.safeInstance().hash32().hash(data, 0, data.length, 0);
    byte[] hash = {(byte) sum, (byte) (sum >> 8), (byte) (sum >> 16), (byte) (sum >> 24)};
    byte[] summed = join(head(blocks, -4), hash, bytes("00000000"));
    read("lz4", "frame", one);
    read("lz4", "empty", new byte[0]);
    read("lz4", "empty-frame", lz4Frame(0x60, 0x40, "", bytes("00000000")));
    read("lz4", "header-only", head(one, 7));
    read("lz4", "two-frames", join(one, one));
    read("lz4", "no-end-mark", head(one, -4));
    read("lz4", "cut-end-mark", head(one, -1));
    read("lz4", "bad-magic", with(one, 0, 0));
    read("lz4", "bad-header-checksum", with(one, 6, one[6] ^ 1));
    read("lz4", "linked-blocks", lz4Frame(0x40, 0x40, "", blocks));
    read("lz4", "dictionary", lz4Frame(0x61, 0x40, "00000000", blocks));
    read("lz4", "version-0", lz4Frame(0x20, 0x40, "", blocks));
    read("lz4", "version-2", lz4Frame(0xa0, 0x40, "", blocks));
    read("lz4", "content-size", lz4Frame(0x68, 0x40, "0102030405060708", blocks));
    read("lz4", "content-checksum-unchecked", join(lz4Frame(0x64, 0x40, "", blocks), bytes("01020304")));
    read("lz4", "content-checksum-missing", lz4Frame(0x64, 0x40, "", blocks));
    read("lz4", "block-checksum", lz4Frame(0x70, 0x40, "", summed));
    read("lz4", "block-checksum-wrong", lz4Frame(0x70, 0x40, "", with(summed, -5, summed[summed.length - 5] ^ 1)));
    for (int block : new int[] {0x30, 0x50, 0x60, 0x70, 0x41, 0xc0}) {
      read("lz4", "block-descriptor-" + Integer.toHexString(block), lz4Frame(0x60, block, "", blocks));
    }
    read("lz4", "stored-block", lz4Frame(0x60, 0x40, "", bytes("03000080" + "616263" + "00000000")));
    read("lz4", "stored-empty-block", lz4Frame(0x60, 0x40, "", bytes("00000080")));
    read("lz4", "block-longer-than-input", lz4Frame(0x60, 0x40, "", bytes("05000080" + "616263")));
    read("lz4", "bad-block", lz4Frame(0x60, 0x40, "", bytes("03000000" + "ffffff" + "00000000")));
    read("lz4", "block-of-nothing", lz4Frame(0x60, 0x40, "", join(bytes("01000000" + "00"), blocks)));
  }

  static void zstd() throws Exception {
    byte[] one = write(Compression.zstd().build(), input(300));
    read("zstd", "frame", one);
    read("zstd", "empty", new byte[0]);
    read("zstd", "two-frames", join(one, one));
    read("zstd", "skippable-frame", join(bytes("502a4d1803000000010203"), one));
    read("zstd", "garbage-after", join(one, bytes("0102030405060708")));
    read("zstd", "cut", head(one, -1));
    read("zstd", "header-only", head(one, 5));
    read("zstd", "bad-magic", with(one, 0, 0));
    read("zstd", "with-size-and-checksum", com.github.luben.zstd.Zstd.compress(input(300)));
    read("zstd", "half-frame-after", join(one, head(one, 20)));
    read("zstd", "magic-after", join(one, head(one, 4)));
    // A frame header that names a window of 128 MiB, and one of 256 MiB, then one raw last block of "abc".
    read("zstd", "window-128-mib", bytes("28b52ffd0088" + "190000616263"));
    read("zstd", "window-256-mib", bytes("28b52ffd0090" + "190000616263"));
    read("zstd", "dictionary-id", bytes("28b52ffd010807" + "190000616263"));
  }

  public static void main(String[] args) throws Exception {
    for (int size : new int[] {0, 1, 300, 3000}) {
      for (int level : new int[] {-1, 1, 6, 9}) written(Compression.gzip().level(level).build(), level, size);
      written(Compression.snappy().build(), 0, size);
      for (int level : new int[] {1, 9, 12, 17}) written(Compression.lz4().level(level).build(), level, size);
      for (int level : new int[] {-5, 3, 19}) written(Compression.zstd().level(level).build(), level, size);
    }
    for (String codec : new String[] {"gzip", "snappy", "lz4", "zstd"}) written(Compression.of(codec).build(), 0, 70000);
    gzip();
    snappy();
    lz4();
    zstd();
  }
}
