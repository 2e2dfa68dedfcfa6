// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.compact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KeyTableTest {
    private static String alike(int i) {
        StringBuilder text = new StringBuilder();
        for (int bit = 11; bit >= 0; bit--) {
            text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
        }
        return text.toString();
    }

    static List<List<String>> keys() {
        List<String> mixed = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            mixed.add("key" + i);
            mixed.add(alike(i));
        }
        return List.of(
                List.of(),
                List.of("one"),
                IntStream.range(0, 40).mapToObj(i -> "k" + i).toList(),
                IntStream.range(0, 5_000).mapToObj(i -> "k" + i).toList(),
                IntStream.range(0, 60).mapToObj(KeyTableTest::alike).toList(),
                IntStream.range(0, 4_000).mapToObj(KeyTableTest::alike).toList(),
                mixed);
    }

    private static Object[] array(List<String> keys) {
        return keys.stream().flatMap(key -> List.of(key, (Object) 1L).stream()).toArray();
    }

    /** Keys of one hash code, too, of which more than a few are found another way. */
    @ParameterizedTest
    @MethodSource("keys")
    void findsEachKeyWhetherTheTableWasMadeAtOnceOrGrew(List<String> keys) {
        Object[] both = array(keys);
        KeyTable grown = new KeyTable(0);
        for (int i = 0; i < keys.size(); i++) {
            assertThat(grown.find(both, keys.get(i))).isEqualTo(-1);
            grown.add(both, i);
        }
        KeyTable whole = KeyTable.of(both);
        for (int i = 0; i < keys.size(); i++) {
            assertThat(grown.find(both, keys.get(i))).isEqualTo(i);
            assertThat(whole.find(both, String.valueOf(keys.get(i).toCharArray())))
                    .isEqualTo(i);
        }
        for (String other : List.of("", "k", "AaAa", alike(4_095), "key-1")) {
            assertThat(whole.find(both, other)).isEqualTo(keys.indexOf(other));
        }
    }
}
