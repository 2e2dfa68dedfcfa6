// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PodSpecTest {
    private static final Map<Class<?>, Object> OTHER = Map.of(
            String.class, "other",
            List.class, List.of("other"),
            Map.class, Map.of("other", "value"),
            Optional.class, Optional.of("other"));

    @Test
    void eachCopyDiffersInItsOwnMemberAlone() throws ReflectiveOperationException {
        for (RecordComponent changed : PodSpec.class.getRecordComponents()) {
            Object other = Objects.requireNonNull(OTHER.get(changed.getType()));
            String name = changed.getName();
            Method with = PodSpec.class.getMethod(
                    "with" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1), changed.getType());
            Object copy = with.invoke(PodSpec.EMPTY, other);
            for (RecordComponent each : PodSpec.class.getRecordComponents()) {
                Object before = each.getAccessor().invoke(PodSpec.EMPTY);
                assertThat(each.getAccessor().invoke(copy))
                        .as("%s of the copy with another %s", each.getName(), name)
                        .isEqualTo(each.getName().equals(name) ? other : before);
            }
        }
    }
}
