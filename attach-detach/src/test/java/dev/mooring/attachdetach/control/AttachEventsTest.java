// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.control.AttachConflicts.Holder;
import dev.mooring.storage.model.ObjectKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The four forms of the refusal (semantics/attach-and-mount §1.8), and what another namespace may not learn (S15). */
class AttachEventsTest {
    @ParameterizedTest(name = "[{index}] {0}")
    @CsvSource({
        "'',Volume is already exclusively attached to another node and can't be attached to this one",
        "web/b web/a,'Volume is already used by pod(s) a, b'",
        "secret/x,Volume is already used by 1 pod(s) in different namespaces",
        "web/a secret/x hidden/y,'Volume is already used by pod(s) a and 2 pod(s) in different namespaces'",
    })
    void saysWhoHoldsTheVolume(String users, String text) {
        List<DesiredAttachment> using = Arrays.stream(users.split(" "))
                .filter(user -> !user.isEmpty())
                .map(user -> want(user.substring(0, user.indexOf('/')), user.substring(user.indexOf('/') + 1), "n1"))
                .toList();
        Holder holder = new Holder("n1", Optional.of(Instant.parse("2000-01-01T00:00:00Z")), true);
        String message = AttachEvents.multiAttach(want("web", "me", "n2"), List.of(holder), using);
        assertThat(message)
                .startsWith("Multi-Attach error for volume \"disk\": ")
                .contains(text)
                .endsWith(" (node n1 since 2000-01-01T00:00:00Z)")
                .doesNotContain("secret", "hidden", " x", " y");
    }

    private static DesiredAttachment want(String namespace, String pod, String node) {
        return new DesiredAttachment(
                "va-" + node,
                node,
                ObjectKey.of(namespace, pod),
                "uid-" + pod,
                "data",
                AttachDetachObjects.attachable("disk"),
                "disk",
                false,
                false,
                false);
    }
}
