// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The commands that people copy. */
class RemedyActionTest {
    private static final ObjectKey CLAIM = ObjectKey.of("shop", "data");

    @Test
    void aClaimOfAnotherNameIsNamed() {
        assertThat(new RemedyAction.Adopt("pv", CLAIM, false).command()).isEqualTo("mooring adopt pv/pv");
        assertThat(new RemedyAction.Adopt("pv", CLAIM, true).command())
                .isEqualTo("mooring adopt pv/pv --claim shop/data");
    }

    @Test
    void namesAndPatchesAreWordsOfAShell() {
        assertThat(new RemedyAction.Rebind("a; reboot").command()).isEqualTo("mooring release pv/'a; reboot' --rebind");
        Document patch =
                Document.empty().with("it's", "spec", "storageClassName").with(JsonNull.NULL, "spec", "claimRef");
        assertThat(new RemedyAction.Patch(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("pv"), patch).command())
                .isEqualTo("kubectl patch pv pv --type merge -p "
                        + "'{\"spec\":{\"storageClassName\":\"it'\\''s\",\"claimRef\":null}}'");
    }

    @Test
    void objectsOfOneNamespaceAreDeletedTogether() {
        assertThat(new RemedyAction.Delete(Kinds.POD, List.of(ObjectKey.of("shop", "a"), ObjectKey.of("shop", "b")))
                        .command())
                .isEqualTo("kubectl delete pod -n shop a b");
    }
}
