// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnownLinesTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void readsEachVersionAsIfItWereTheFirst(long seed) {
        Random random = new Random(seed);
        KnownLines lines = new KnownLines();
        List<String> table = new ArrayList<>();
        for (int version = 0; version < 300; version++) {
            change(table, random);
            String text = String.join("\n", table) + "\n";
            assertThat(lines.parse(text)).isEqualTo(MountInfoParser.parse(text));
        }
    }

    private static void change(List<String> table, Random random) {
        switch (random.nextInt(5)) {
            case 0 -> table.add("not an entry");
            case 1 -> {
                if (!table.isEmpty()) {
                    table.remove(random.nextInt(table.size()));
                }
            }
            case 2 -> Collections.shuffle(table, random);
            default ->
                table.add("%d 2 0:%d / /mnt/\r%d %s shared:%d - ext4 /dev/sda rw"
                        .formatted(
                                random.nextInt(20),
                                random.nextInt(3),
                                random.nextInt(5),
                                random.nextBoolean() ? "rw" : "ro",
                                random.nextInt(3)));
        }
    }

    @Test
    void whatIsAsItWasIsNotReadAgain() {
        KnownLines lines = new KnownLines();
        String first = "1 2 8:1 / /a rw - ext4 /dev/sda rw\n";
        MountEntry before = lines.parse(first).entries().get(0);
        MountTable after = lines.parse(first + "2 2 8:1 / /b rw - ext4 /dev/sda rw\n");
        assertThat(after.entries()).hasSize(2).first().isSameAs(before);
    }
}
