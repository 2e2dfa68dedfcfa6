// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static dev.mooring.binder.scheduling.SchedulingObjects.claim;
import static dev.mooring.binder.scheduling.SchedulingObjects.claimedBy;
import static dev.mooring.binder.scheduling.SchedulingObjects.delayed;
import static dev.mooring.binder.scheduling.SchedulingObjects.keepingAccount;
import static dev.mooring.binder.scheduling.SchedulingObjects.local;
import static dev.mooring.binder.scheduling.SchedulingObjects.node;
import static dev.mooring.binder.scheduling.SchedulingObjects.ofClass;
import static dev.mooring.binder.scheduling.SchedulingObjects.pod;
import static dev.mooring.binder.scheduling.SchedulingObjects.pool;
import static dev.mooring.binder.scheduling.SchedulingObjects.uid;
import static dev.mooring.binder.scheduling.SchedulingObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.scheduling.QueueingHint.Source;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What one pod's assumption means for others, and what its end gives back. */
class AssumeCacheTest {
    private static final Node N1 = node("n1");
    private static final Node N2 = node("n2");
    private static final PersistentVolumeClaim C = ofClass(uid(claim("c", "60Gi"), "uid-c"), "gold");
    private static final PersistentVolumeClaim D = ofClass(uid(claim("d", "60Gi"), "uid-d"), "gold");
    private static final Pod P = pod("p", "c");
    private static final Pod Q = pod("q", "c");
    private static final Pod R = pod("r", "d");
    private static final QueueingHint SPACE = QueueingHint.of(Source.SPACE, "gold");

    private final Known known = Known.of(
            N1,
            N2,
            local(),
            delayed("gold", "far.example.com"),
            keepingAccount("far.example.com"),
            pool("pool-1", "gold", "n1", "100Gi"),
            pool("pool-2", "gold", "n2", "200Gi"),
            C,
            D,
            P,
            Q,
            R);

    private static ObjectKey key(KubernetesObject object) {
        return ObjectKey.of(object);
    }

    private List<String> against(Pod pod, Node node) {
        PodFilters filters = new PodFilters(pod, known.view());
        return filters.fit(node, filters.plan(node)).reasons();
    }

    private void assume(Pod pod, Node node) {
        assertThat(against(pod, node)).isEmpty();
        PodFilters filters = new PodFilters(pod, known.view());
        known.indexes.assumptions().put(filters.assumption(node, filters.plan(node)));
    }

    @Test
    void aPodGoesWhereAnotherPodOfItsClaimGoes() {
        assume(P, N1);
        assertThat(against(Q, N2)).containsExactly(VolumeBindingFilter.BIND_CONFLICT);
        assertThat(against(Q, N1)).isEmpty();
        known.indexes.dropAssumption(key(P), true);
        assertThat(against(Q, N2)).isEmpty();
    }

    @Test
    void eachClaimOfAPodGoesWhereThePodGoes() {
        Pod both = pod("both", "c", "d");
        known.put(both);
        assume(both, N2);
        assertThat(against(Q, N1)).containsExactly(VolumeBindingFilter.BIND_CONFLICT);
        assertThat(against(R, N1)).containsExactly(VolumeBindingFilter.BIND_CONFLICT);
        assertThat(against(R, N2)).isEmpty();
    }

    @Test
    void aClaimThatWasMadeAnewGoesAnywhere() {
        assume(P, N1);
        known.put(uid(C, "another"));
        assertThat(against(Q, N2)).isEmpty();
    }

    @Test
    void spaceStaysPromisedAsLongAsOnePodCountsWithIt() {
        assume(P, N1);
        assume(Q, N1);
        known.indexes.dropAssumption(key(P), true);
        assertThat(against(R, N1)).containsExactly(VolumeBindingFilter.NO_SPACE);
        known.indexes.dropAssumption(key(Q), true);
        assertThat(against(R, N1)).isEmpty();
    }

    @Test
    void aPodThatArrivesLeavesItsClaimsTheirSpace() {
        assume(P, N1);
        known.indexes.dropAssumption(key(P), false);
        assertThat(against(R, N1)).containsExactly(VolumeBindingFilter.NO_SPACE);
    }

    @Test
    void anAssumptionTakesThePlaceOfThePodsLastOne() {
        assume(P, N1);
        known.put(uid(C, "another"));
        assume(P, N2);
        assertThat(known.indexes.pods().on("n1")).isEmpty();
        assertThat(known.indexes.pods().on("n2")).hasSize(1);
    }

    // ---- which pods its end helps ----

    @Test
    void whatFailsHelpsWhoWaitsForItsClaimItsSpaceOrItsPlace() {
        assume(P, N1);
        assertThat(known.indexes.dropAssumption(key(P), true))
                .containsExactlyInAnyOrder(QueueingHint.claim(key(C)), SPACE, QueueingHint.POD_GONE);
        assertThat(known.indexes.dropAssumption(key(P), true))
                .as("nothing is left")
                .isEmpty();
    }

    @Test
    void whatArrivesHelpsOnlyWhoWaitsForItsClaim() {
        assume(P, N1);
        assertThat(known.indexes.dropAssumption(key(P), false)).containsExactly(QueueingHint.claim(key(C)));
    }

    @Test
    void aVolumeThatIsKeptNoMoreHelpsWhoWaitsForOneOfItsClass() {
        PersistentVolumeClaim e = uid(claim("e", "1Gi"), "uid-e");
        Pod s = pod("s", "e");
        known.put(e, volume("v", "1Gi"), s);
        assume(s, N1);
        assertThat(known.indexes.dropAssumption(key(s), false))
                .containsExactlyInAnyOrder(QueueingHint.claim(key(e)), QueueingHint.of(Source.FREE_VOLUME, "local"));
        assume(s, N1);
        known.put(claimedBy(volume("v", "1Gi"), e));
        assertThat(known.indexes.dropAssumption(key(s), false)).containsExactly(QueueingHint.claim(key(e)));
    }

    @Test
    void aClaimThatGoesHelpsWhoWaitsForItsSpace() {
        assume(P, N1);
        known.put(SchedulingObjects.annotated(C, "a", "b"));
        assertThat(known.cues).containsExactly(QueueingHint.claim(key(C)));
        known.remove(Kinds.PERSISTENT_VOLUME_CLAIM, key(C));
        assertThat(known.cues).containsExactlyInAnyOrder(QueueingHint.claim(key(C)), SPACE);
    }

    @Test
    void aPoolThatHasTakenAVolumeIntoAccountHelpsWhoWaitsForSpace() {
        assume(P, N1);
        known.put(pool("pool-1", "gold", "n1", "100Gi"));
        assertThat(known.cues).as("there is no volume yet").isEmpty();
        known.put(SchedulingObjects.bound(SchedulingObjects.annotated(C, Annotations.SELECTED_NODE, "n1"), "made"));
        assertThat(against(R, N1)).containsExactly(VolumeBindingFilter.NO_SPACE);
        known.put(pool("pool-1", "gold", "n1", "60Gi"));
        assertThat(known.cues).containsExactly(SPACE);
        assertThat(against(R, N1)).isEmpty();
    }
}
