// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MembersTest {
    @ParameterizedTest
    @ValueSource(ints = {3, 16, 17, 40, 3_000})
    void theyAreAMapInTheOrderOfTheFirst(int most) {
        Random random = new Random(most);
        for (boolean colliding : new boolean[] {false, true}) {
            Members members = new Members();
            Map<String, Object> expected = new LinkedHashMap<>();
            for (int i = 0; i < 2 * most; i++) {
                int which = random.nextInt(most);
                String key =
                        new String((colliding ? alike(which) : "k" + which).toCharArray()); // another of equal text
                assertThat(members.containsKey(key)).isEqualTo(expected.containsKey(key));
                assertThat(members.put(key, i)).isEqualTo(expected.put(key, i));
                assertThat(members.get(key)).isEqualTo(i);
            }
            assertThat(members).hasSize(expected.size()).isEqualTo(expected);
            assertThat(new ArrayList<>(members.entrySet())).isEqualTo(new ArrayList<>(expected.entrySet()));
            assertThat(members.get("absent")).isNull();
        }
    }

    /** All have one hash code. */
    private static String alike(int number) {
        StringBuilder text = new StringBuilder();
        for (int bit = 11; bit >= 0; bit--) {
            text.append((number >> bit & 1) == 0 ? "Aa" : "BB");
        }
        return text.toString();
    }
}
