// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.wanted;

import static dev.mooring.volumemanager.machine.Playground.kindOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSecurityContext;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.SELinuxOptions;
import dev.mooring.storage.model.SecurityContext;
import dev.mooring.storage.model.VolumeMount;
import dev.mooring.storage.spi.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SELinuxLabelsTest {
    /** {@code user/role/type/level}; empty for nothing said. */
    private static Optional<SELinuxOptions> options(String text) {
        String[] parts = text.split("/", -1);
        return text.isEmpty()
                ? Optional.empty()
                : Optional.of(new SELinuxOptions(parts[0], parts[1], parts[2], parts[3]));
    }

    private static Container container(String name, String volume, String options) {
        VolumeMount mount = new VolumeMount(volume, "/" + volume, false, "", "", Optional.empty());
        return new Container(name, "image", List.of(mount), List.of())
                .withSecurityContext(
                        options.isEmpty()
                                ? Optional.empty()
                                : Optional.of(SecurityContext.EMPTY.withSeLinuxOptions(options(options))));
    }

    private static Outcome<Optional<String>> label(String pod, String policy, String first, String second) {
        PodSecurityContext whole = PodSecurityContext.EMPTY
                .withSeLinuxOptions(options(pod))
                .withSeLinuxChangePolicy(policy.isEmpty() ? Optional.empty() : Optional.of(policy));
        PodSpec spec = PodSpec.EMPTY
                .withSecurityContext(Optional.of(whole))
                .withInitContainers(List.of(container("first", "data", first)))
                .withContainers(List.of(container("second", "data", second), container("third", "other", "///s0:c9")));
        return SELinuxLabels.of(Pod.of("ns", "web", spec), Set.of("data"));
    }

    @ParameterizedTest
    @CsvSource({
        // the pod's options, its policy, those of two containers that use the volume, the label
        "'', '', '', '', ''",
        "///s0, '', '', '', system_u:object_r:container_file_t:s0",
        "'///s0:c1,c2', '', '', '', 'system_u:object_r:container_file_t:s0:c1,c2'",
        "///s0, MountOption, '', '', system_u:object_r:container_file_t:s0",
        "///s0, Recursive, '', '', ''",
        "///s0, Recursive, ///s0:c1, ///s0:c2, ''",
        "staff_u/staff_r/staff_t/s0:c3, '', '', '', staff_u:object_r:container_file_t:s0:c3",
        "//spc_t/, '', '', '', ''",
        "'', '', ///s0:c1, '', system_u:object_r:container_file_t:s0:c1",
        "'', '', ///s0:c1, ///s0:c1, system_u:object_r:container_file_t:s0:c1",
        "///s0:c1, '', //spc_t/, '', system_u:object_r:container_file_t:s0:c1",
        "///s0:c1, '', ///s0:c2, ///s0:c2, system_u:object_r:container_file_t:s0:c2",
    })
    void labels(String pod, String policy, String first, String second, String expected) {
        assertThat(label(pod, policy, first, second))
                .isEqualTo(Outcome.done(expected.isEmpty() ? Optional.empty() : Optional.of(expected)));
    }

    @ParameterizedTest
    @CsvSource({
        "'', ///s0:c1, ///s0:c2, different SELinux labels",
        "///s0, ///s0:c2, '', different SELinux labels",
        "///s0, a///s0, '', different SELinux labels",
        "'', '///s0\",rw,context=\"x', '', no label of SELinux",
        "'', 's\\///s0', '', no label of SELinux",
        "'', '///s 0', '', no label of SELinux",
    })
    void refuses(String pod, String first, String second, String words) {
        Outcome<Optional<String>> answer = label(pod, "", first, second);
        assertThat(kindOf(answer)).isEqualTo("INVALID");
        assertThat(answer.message()).contains(words);
    }
}
