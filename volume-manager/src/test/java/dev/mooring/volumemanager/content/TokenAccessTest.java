// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSecurityContext;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.SecurityContext;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** As Kubernetes does it with tokens of service accounts (KEP-1205). */
class TokenAccessTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "nothing is said                      |     | |           |           | |644",
                "the pod's group                      | 2000| |           |           | |600",
                "all run as the pod's user            |     |7|           |           |7|600",
                "all run as the same user of their own|     | |          7|          7|7|600",
                "one says it itself, one as the pod   |     |7|          7|           |7|600",
                "two users                            |     |7|          8|           | |644",
                "one is the image's                   |     | |          7|           | |644",
                "a group, and two users               | 2000| |          7|          8| |600",
                "a group, and one user                | 2000| |          7|          7|7|600",
                "root                                 |     |0|           |           |0|600",
                "no user that there can be            |     | | 4294967296| 4294967296| |644",
            })
    void aTokenIsShownToTheUserThatItIsFor(
            String title,
            @Nullable Long group,
            @Nullable Long user,
            @Nullable Long first,
            @Nullable Long main,
            @Nullable Integer owner,
            String mode) {
        PodSecurityContext context = PodSecurityContext.EMPTY
                .withFsGroup(Optional.ofNullable(group))
                .withRunAsUser(Optional.ofNullable(user));
        PodSpec spec = PodSpec.EMPTY
                .withSecurityContext(Optional.of(context))
                .withInitContainers(List.of(container(first)))
                .withContainers(List.of(container(main)));
        TokenAccess access = TokenAccess.of(Pod.of("default", "web", spec));
        assertThat(access.owner()).as(title).isEqualTo(owner == null ? OptionalInt.empty() : OptionalInt.of(owner));
        assertThat(Integer.toOctalString(access.mode(0644))).isEqualTo(mode);
    }

    /** One that is added to look into a running pod, with or without a user of its own. */
    @ParameterizedTest(name = "the pod''s {0}, its container''s {1}, the ephemeral one''s {2}")
    @CsvSource({"7, , , 7", "7, , 8, ", ", 7, , ", ", 7, 7, 7", ", 7, 8, "})
    void anEphemeralContainerCountsAsTheOthers(
            @Nullable Long user, @Nullable Long main, @Nullable Long debugger, @Nullable Integer owner) {
        PodSpec spec = PodSpec.EMPTY
                .withSecurityContext(Optional.of(PodSecurityContext.EMPTY.withRunAsUser(Optional.ofNullable(user))))
                .withContainers(List.of(container(main)))
                .withEphemeralContainers(List.of(container(debugger)));
        TokenAccess access = TokenAccess.of(Pod.of("default", "web", spec));
        assertThat(access.owner()).isEqualTo(owner == null ? OptionalInt.empty() : OptionalInt.of(owner));
        assertThat(access.mode(0644)).isEqualTo(owner == null ? 0644 : 0600);
    }

    private static Container container(@Nullable Long user) {
        return new Container("main", "image", List.of(), List.of())
                .withSecurityContext(Optional.of(SecurityContext.EMPTY.withRunAsUser(Optional.ofNullable(user))));
    }
}
