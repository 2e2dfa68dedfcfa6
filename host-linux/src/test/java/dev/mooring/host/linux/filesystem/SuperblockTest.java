// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is read of the bytes that real tools and a real kernel have left. */
class SuperblockTest {
    private static final HexFormat HEX = HexFormat.of();

    /** A device's beginning, and what is to be read of it. */
    record Sample(String name, String expected, ByteBuffer head) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Sample> samples() throws IOException {
        List<Sample> samples = new ArrayList<>();
        try (InputStream text = Objects.requireNonNull(SuperblockTest.class.getResourceAsStream("superblocks.txt"))) {
            for (String line : new String(text.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(row -> !row.isEmpty() && !row.startsWith("#"))
                    .toList()) {
                String[] words = line.split(line.startsWith("=") ? "\\s*=\\s*" : " ", -1);
                if (line.startsWith("=")) {
                    samples.add(new Sample(words[1], words[2], ByteBuffer.allocate(Superblock.LENGTH)));
                } else {
                    byte[] row = HEX.parseHex(words[1]);
                    byte[] head = samples.get(samples.size() - 1).head().array();
                    System.arraycopy(row, 0, head, Integer.parseInt(words[0]), row.length);
                }
            }
        }
        return samples;
    }

    private static String read(byte[] head) {
        return Superblock.read(head)
                .map(block -> block.type() + " " + block.uuid() + " " + block.life())
                .orElse("nothing");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("samples")
    void everySuperblockIsReadForWhatItIs(Sample sample) {
        assertThat(read(sample.head().array())).isEqualTo(sample.expected());
    }

    @Test
    void everyTypeThatIsMadeIsAmongTheSamples() throws IOException {
        assertThat(samples().stream().map(sample -> sample.name().split(" ", 2)[0]))
                .contains("ext2", "ext3", "ext4", "xfs", "btrfs");
        assertThat(samples()).hasSize(20);
    }

    @ParameterizedTest(name = "{0} at {1} set to {2}")
    @CsvSource({
        "s_mtime, 44, 1",
        "s_mtime_hi, 628, 1",
        "s_mnt_count, 52, 1",
        "s_mnt_count, 53, 1",
        "s_last_mounted, 136, 47",
        "the log is to be replayed, 96, 198",
        "s_lastcheck, 64, 1"
    })
    void eachTraceOfAMountAloneKeepsAnExtFileSystem(String field, int offset, int value) throws IOException {
        byte[] head = named("ext4 as mkfs leaves it");
        assertThat(read(head)).endsWith(" NEVER_MOUNTED");

        head[1024 + offset] = (byte) value;

        assertThat(read(head)).as(field).endsWith(" MAYBE_MOUNTED");
    }

    private static byte[] named(String name) throws IOException {
        return samples().stream()
                .filter(sample -> sample.name().equals(name))
                .findFirst()
                .orElseThrow()
                .head()
                .array();
    }

    @Test
    void aDeviceThatIsCutShortOrBlankHasNone() throws IOException {
        assertThat(read(new byte[Superblock.LENGTH])).isEqualTo("nothing");
        for (Sample sample : samples()) {
            for (int length = 0; length < sample.head().array().length; length += 512) {
                String found = read(Arrays.copyOf(sample.head().array(), length));
                assertThat(found).isIn("nothing", sample.expected());
            }
        }
    }

    @Test
    void noBytesMakeTheReaderFail() {
        Random random = new Random(26);
        for (int round = 0; round < 2000; round++) {
            byte[] head = new byte[random.nextInt(Superblock.LENGTH)];
            random.nextBytes(head);
            assertThat(read(head).toLowerCase(Locale.ROOT))
                    .as("round %d", round)
                    .isNotEmpty();
        }
    }
}
