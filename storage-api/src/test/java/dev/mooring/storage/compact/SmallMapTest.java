// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SmallMapTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, SmallMap.MOST, SmallMap.MOST + 1, 100})
    void isLikeTheMapItWasMadeFrom(int size) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = size; i > 0; i--) {
            map.put("key-" + i, (long) i);
        }
        Map<String, Object> frozen = SmallMap.frozen(new LinkedHashMap<>(map));

        assertThat(frozen).isEqualTo(map).hasSameHashCodeAs(map).hasSize(size).hasToString(map.toString());
        assertThat(map).isEqualTo(frozen);
        assertThat(List.copyOf(frozen.keySet())).isEqualTo(List.copyOf(map.keySet()));
        List<String> told = new ArrayList<>();
        frozen.forEach((key, value) -> told.add(key + value));
        assertThat(told).hasSize(size);
        for (int i = 1; i <= size; i++) {
            assertThat(frozen.get(new String("key-" + i))).isEqualTo((long) i);
            assertThat(frozen.containsKey("key-" + i)).isTrue();
        }
        assertThat(frozen.get("other")).isNull();
        assertThat(frozen.containsKey("other")).isFalse();
        assertThat(frozen.getOrDefault("other", "x")).isEqualTo("x");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, SmallMap.MOST + 1})
    void noCallerChangesIt(int size) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            map.put("key-" + i, "value");
        }
        Map<String, Object> frozen = SmallMap.frozen(map);

        assertThatThrownBy(() -> frozen.put("key-0", "x")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> frozen.remove("key-0")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(frozen::clear).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> frozen.entrySet().iterator().next().setValue("x"))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> frozen.replaceAll((key, value) -> "x"))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> frozen.keySet().removeIf(key -> true))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, SmallMap.MOST, SmallMap.MOST + 1, 100})
    void aCopyHasAnotherValueOrOneMore(int size) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            map.put("key-" + i, "value");
        }
        SmallMap<Object> frozen = SmallMap.frozen(new LinkedHashMap<>(map));
        SmallMap<Object> more = frozen.with("new", "x");
        SmallMap<Object> other = more.with("new", "y");

        assertThat(frozen).isEqualTo(map);
        map.put("new", "x");
        assertThat(more).isEqualTo(map).containsEntry("new", "x");
        map.put("new", "y");
        assertThat(other).isEqualTo(map).containsEntry("new", "y").hasToString(map.toString());
        assertThat(more).containsEntry("new", "x");
    }
}
