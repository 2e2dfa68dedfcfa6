// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.subpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.EnvVar;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.VolumeMount;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubPathMountTest {
    private static Pod pod(String subPath, String expression, String value) {
        VolumeMount mount = new VolumeMount("data", "/data", true, subPath, expression, Optional.empty());
        VolumeMount other = new VolumeMount("other", "/other", true, "", "$(ABSENT)", Optional.empty());
        Container main = new Container("main", "image", List.of(other, mount), List.of())
                .withEnv(List.of(new EnvVar("X", value, Optional.empty())));
        return Pod.of("ns", "web", PodSpec.EMPTY.withContainers(List.of(main)));
    }

    @ParameterizedTest
    @CsvSource({
        "a/b, '', '', a/b",
        "'', logs/$(X), today, logs/today",
        "'', $(X)/..data, a/b, a/b/..data",
    })
    void shows(String subPath, String expression, String value, String expected) {
        Pod pod = pod(subPath, expression, value);
        assertThat(SubPathMount.problem(pod, Set.of("data"))).isEmpty();
        assertThat(SubPathMount.of(pod, Set.of("data"))).containsExactly(new SubPathMount("main", 1, expected, true));
    }

    @ParameterizedTest
    @CsvSource({
        "/a, '', '', must be relative",
        "a/../b, '', '', must not contain",
        "'', $(X)/a, /etc, must be relative",
        "'', a/$(X), ../../b, must not contain",
        "'', $(X)./b, ., must not contain",
        "'', $(Y), y, missing value for Y",
    })
    void whatAVariableMeansIsCheckedAsAPath(String subPath, String expression, String value, String words) {
        assertThat(SubPathMount.problem(pod(subPath, expression, value), Set.of("data")))
                .hasValueSatisfying(problem -> assertThat(problem).contains("container \"main\"", words));
    }
}
