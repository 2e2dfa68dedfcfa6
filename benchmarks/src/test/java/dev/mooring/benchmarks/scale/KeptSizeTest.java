// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.ControlLoop;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.store.Revision;
import org.junit.jupiter.api.Test;

/** What the controllers' caches hold of each object of a cluster, in bytes. */
class KeptSizeTest {
    private static final int CLAIMS = 1_000;

    private final RecordedObjects recorded = new RecordedObjects(CLAIMS);
    private final ControlLoop loop = MemoryRuns.loop();

    private <T extends KubernetesObject> long bytesEach(Kind<T> kind, FieldSelection read) {
        loop.listed(kind, MemoryRuns.read(recorded, kind, read), new Revision(10_000_000));
        KeptSize size = new KeptSize();
        loop.caches().of(kind).all().forEach(size::add);
        long each = size.bytes() / recorded.count(kind);
        System.out.println(
                kind + ": " + each + " bytes of " + recorded.json(kind, 1, 1).length() + " of JSON");
        return each;
    }

    private <T extends KubernetesObject> long bytesEach(Kind<T> kind) {
        return bytesEach(kind, loop.caches().of(kind).kept());
    }

    @Test
    void aPodIsAtMostAKilobyte() {
        assertThat(bytesEach(Kinds.POD)).isLessThanOrEqualTo(1_000);
    }

    @Test
    void aPodThatComesWholeIsNoLarger() {
        assertThat(bytesEach(Kinds.POD, FieldSelection.ALL)).isLessThanOrEqualTo(1_000);
    }

    @Test
    void volumesClaimsAndNodesAreSmallToo() {
        assertThat(bytesEach(Kinds.PERSISTENT_VOLUME)).isLessThanOrEqualTo(1_000);
        assertThat(bytesEach(Kinds.PERSISTENT_VOLUME_CLAIM)).isLessThanOrEqualTo(700);
        assertThat(bytesEach(Kinds.NODE)).isLessThanOrEqualTo(1_300);
    }
}
