// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.statefulset;

import static dev.mooring.clusterstore.statefulset.SetDocuments.NOW;
import static dev.mooring.clusterstore.statefulset.SetDocuments.claims;
import static dev.mooring.clusterstore.statefulset.SetDocuments.json;
import static dev.mooring.clusterstore.statefulset.SetDocuments.pod;
import static dev.mooring.clusterstore.statefulset.SetDocuments.revision;
import static dev.mooring.clusterstore.statefulset.SetDocuments.set;
import static dev.mooring.clusterstore.statefulset.SetDocuments.told;
import static dev.mooring.clusterstore.statefulset.SetDocuments.withImage;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is decided for a set, by what there is. */
class StatefulSetPlanTest {
    private static StatefulSetPlan plan(Document set, List<Document> pods, long claims, List<Document> revisions) {
        return StatefulSetPlan.of(new SetObjects(set, pods, claims(set, claims), revisions), NOW);
    }

    private static List<Document> pods(Document set, Document old, Document current, String states) {
        List<Document> pods = new ArrayList<>();
        String[] each = states.isEmpty() ? new String[0] : states.split(" ");
        for (int ordinal = 0; ordinal < each.length; ordinal++) {
            if (!each[ordinal].equals("-")) {
                boolean isOld = each[ordinal].startsWith("old:");
                pods.add(pod(set, isOld ? old : current, ordinal, each[ordinal].replace("old:", "")));
            }
        }
        return pods;
    }

    /** The states of pods from ordinal 0: - there is none, ! it is terminating, old: of the first of two revisions. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # an ordered set makes one pod at a time, and waits for it
            3 | {}                                    | ''                             | make web-0
            3 | {}                                    | pending                        | ''
            3 | {}                                    | running                        | ''
            3 | {}                                    | ready                          | make web-1
            3 | {}                                    | ready ready!                   | ''
            3 | {}                                    | ready ready ready              | ''
            # what ran to its end is made again
            3 | {}                                    | ready failed ready             | end web-1
            3 | {}                                    | ready succeeded ready          | end web-1
            3 | {}                                    | ready failed! ready            | ''
            3 | {}                                    | ready - ready                  | make web-1
            # it ends from the highest ordinal, one at a time, and only while all others are well
            1 | {}                                    | ready ready ready              | end web-2
            1 | {}                                    | ready ready ready!             | ''
            1 | {}                                    | pending ready ready            | ''
            1 | {}                                    | ready pending ready            | end web-2
            1 | {}                                    | ready ready pending            | end web-2
            1 | {}                                    | ready pending pending          | ''
            0 | {}                                    | ready ready                    | end web-1
            # a parallel one waits for nothing
            3 | {'podManagementPolicy':'Parallel'}    | ''                             | make web-0, make web-1, make web-2
            3 | {'podManagementPolicy':'Parallel'}    | pending - failed               | make web-1, end web-2
            1 | {'podManagementPolicy':'Parallel'}    | pending ready! pending         | end web-2
            0 | {'podManagementPolicy':'Parallel'}    | ready ready                    | end web-1, end web-0
            # updates go from the highest ordinal, one at a time
            3 | {}                                    | old:ready old:ready old:ready  | end web-2
            3 | {}                                    | old:ready old:ready ready      | end web-1
            3 | {}                                    | old:ready old:ready pending    | ''
            3 | {}                                    | old:ready old:ready old:ready! | ''
            3 | {'updateStrategy':{'type':'OnDelete'}}| old:ready old:ready old:ready  | ''
            3 | {'updateStrategy':{'type':'RollingUpdate','rollingUpdate':{'partition':2}}} | old:ready old:ready old:ready | end web-2
            3 | {'updateStrategy':{'type':'RollingUpdate','rollingUpdate':{'partition':2}}} | old:ready old:ready ready     | ''
            3 | {'updateStrategy':{'type':'RollingUpdate','rollingUpdate':{'partition':5}}} | old:ready old:ready old:ready | ''
            # scaling comes before updating
            2 | {}                                    | old:ready old:ready old:ready  | end web-2
            4 | {}                                    | old:ready old:ready old:ready  | make web-3
            # a set of which a pod is ready for 30 s now
            3 | {'minReadySeconds':30}                | ready                          | make web-1
            3 | {'minReadySeconds':31}                | ready                          | ''
            1 | {'minReadySeconds':31}                | ready ready ready              | ''
            # ordinals begin later
            2 | {'ordinals':{'start':5}}              | ''                             | make web-5
            2 | {'ordinals':{'start':1}}              | ready ready ready              | end web-0
            """)
    void decidesByThePodsThatThereAre(int replicas, String more, String states, String expected) {
        Document first = set().with(replicas, "spec", "replicas");
        for (Map.Entry<String, Object> entry : json(more).asMap().entrySet()) {
            first = first.with(entry.getValue(), "spec", entry.getKey());
        }
        Document old = revision(first, 1);
        Document second = withImage(first, "two").with(Fields.name(old), "status", "currentRevision");
        Document current = revision(second, 2);
        StatefulSetPlan plan = plan(second, pods(second, old, current, states), 9, List.of(old, current));
        assertThat(String.join(", ", told(plan))).isEqualTo(expected);
    }

    @Test
    void aPodIsMadeOfItsTemplateWithItsClaims() {
        Document set = set();
        Document revision = revision(set, 1);
        StatefulSetPlan plan = plan(set, List.of(), 0, List.of(revision));
        assertThat(told(plan)).containsExactly("make web-0 with data-web-0");
        SetAct.MakePod made = (SetAct.MakePod) plan.acts().get(0);
        String name = Fields.name(revision);
        assertThat(made.pod()).isEqualTo(json("""
                {'metadata':{'name':'web-0','generateName':'web-','namespace':'ns','annotations':{'note':'kept'},
                  'labels':{'app':'web','tier':'a','statefulset.kubernetes.io/pod-name':'web-0','apps.kubernetes.io/pod-index':'0',
                   'controller-revision-hash':'%s'},
                  'ownerReferences':[{'apiVersion':'apps/v1','kind':'StatefulSet','name':'web','uid':'set-uid','controller':true,
                   'blockOwnerDeletion':true}]},
                 'spec':{'containers':[{'name':'c','image':'one'}],'hostname':'web-0','subdomain':'svc',
                  'volumes':[{'name':'data','persistentVolumeClaim':{'claimName':'data-web-0'}},{'name':'tmp','emptyDir':{}}]}}""".formatted(name)));
        assertThat(made.claims()).containsExactly(json("""
                {'metadata':{'name':'data-web-0','namespace':'ns','labels':{'app':'web','of':'template'}},
                 'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}"""));
        assertThat(plan.wake()).isEmpty();
    }

    @Test
    void aTemplateIsPutDownAsRevisionBeforeItsPodsAreMade() {
        StatefulSetPlan plan = plan(set(), List.of(), 0, List.of());
        assertThat(told(plan)).containsExactly("revision 1");
        Document revision = ((SetAct.MakeRevision) plan.acts().get(0)).revision();
        assertThat(revision.at("data", "spec", "template", "$patch")).contains("replace");
        assertThat(Fields.name(revision)).matches("web-[bcdfghjklmnpqrstvwxz2456789]+");
        assertThat(SetRevisions.template(revision)).isEqualTo(new SetSpec(set()).template());
    }

    @Test
    void aTemplateOfBeforeMakesItsRevisionTheNewestAgain() {
        Document one = revision(set(), 1);
        Document two = revision(withImage(set(), "two"), 2);
        StatefulSetPlan plan = plan(set(), List.of(), 0, List.of(two, one));
        assertThat(plan.acts())
                .containsExactly(new SetAct.Replace(StoredKinds.CONTROLLER_REVISION, one.with(3L, "revision")));
    }

    @Test
    void revisionsThatNoPodHasAreForgottenBeyondTheLimit() {
        Document set = set().with(1, "spec", "revisionHistoryLimit").with(0, "spec", "replicas");
        List<Document> revisions = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            revisions.add(revision(withImage(set, "image" + i), i));
        }
        Document now = withImage(set, "image4");
        StatefulSetPlan plan = plan(now, List.of(pod(set, revisions.get(0), 7, "ready!")), 0, revisions);
        assertThat(plan.acts()).containsExactly(new SetAct.ForgetRevision(revisions.get(1)));
    }

    @Test
    void orphansThatAreSelectedAreAdoptedAndOthersLetGo() {
        Document set = set();
        Document revision = revision(set, 1);
        Document orphan = pod(set, revision, 0, "ready").without("metadata", "ownerReferences");
        Document stranger = pod(set, revision, 1, "ready").with("other", "metadata", "labels", "app");
        Document dying = pod(set, revision, 2, "ready!").without("metadata", "ownerReferences");
        StatefulSetPlan plan = plan(set, List.of(orphan, stranger, dying), 9, List.of(revision));
        assertThat(told(plan)).containsExactly("adopt web-0", "replace web-1");
        assertThat(OwnerReferences.controller(((SetAct.Adopt) plan.acts().get(0)).object()))
                .contains("set-uid");
        assertThat(OwnerReferences.of(((SetAct.Replace) plan.acts().get(1)).object()))
                .isEmpty();
    }

    @Test
    void aSetThatIsBeingDeletedDoesNothing() {
        Document set = set().with("2024-01-01T00:00:00Z", "metadata", "deletionTimestamp");
        StatefulSetPlan plan = plan(set, List.of(), 0, List.of());
        assertThat(plan).isEqualTo(new StatefulSetPlan(List.of(), set, Optional.empty()));
    }

    @Test
    void whatIsInTheWayOfAPodIsNamed() {
        Document set = set();
        Document revision = revision(set, 1);
        Document foreign = pod(set, revision, 0, "ready")
                .with(List.of(Map.of("uid", "other", "controller", true)), "metadata", "ownerReferences");
        assertThat(told(plan(set, List.of(foreign), 9, List.of(revision))))
                .containsExactly("make web-0 but pods \"web-0\" already exists");
        Document going = claims(set, 1).get("data-web-0").with("2024-01-01T00:00:00Z", "metadata", "deletionTimestamp");
        SetObjects objects = new SetObjects(set, List.of(), Map.of("data-web-0", going), List.of(revision));
        assertThat(told(StatefulSetPlan.of(objects, NOW)))
                .containsExactly("make web-0 but pvc data-web-0 is being deleted");
    }

    @Test
    void aPendingPodGetsItsMissingClaimsAndALostLabelComesBack() {
        Document set = set().with(1, "spec", "replicas");
        Document revision = revision(set, 1);
        Document pod = pod(set, revision, 0, "pending").without("metadata", "labels", "apps.kubernetes.io/pod-index");
        assertThat(told(plan(set, List.of(pod), 0, List.of(revision))))
                .containsExactly("claims for web-0", "replace web-0");
    }

    /** Owners before, s the set, p the pod, o the pod of an earlier life, c another controller. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            Retain, Retain, true,  '',  ''
            Retain, Retain, true,  s,   ''
            Retain, Retain, false, p,   ''
            Delete, Retain, true,  '',  s
            Delete, Retain, false, '',  s
            Delete, Retain, true,  sp,  s
            Retain, Delete, true,  '',  ''
            Retain, Delete, true,  p,   ''
            Retain, Delete, false, '',  p
            Retain, Delete, false, s,   p
            Delete, Delete, true,  '',  s
            Delete, Delete, false, s,   p
            Delete, Delete, true,  p,   s
            Delete, Delete, true,  o,   o
            Delete, Retain, true,  c,   c
            Delete, Delete, true,  cs,  c
            """)
    void claimsAreOwnedByWhatTheyAreToGoWith(
            String whenDeleted, String whenScaled, boolean wanted, String before, String after) {
        Document set = set().with(
                        Map.of("whenDeleted", whenDeleted, "whenScaled", whenScaled),
                        "spec",
                        "persistentVolumeClaimRetentionPolicy");
        Document pod = pod(set, revision(set, 1), 0, "ready");
        Document bare = json("{'metadata':{'name':'data-web-0','namespace':'ns'}}");
        assertThat(ClaimRetention.owned(new SetSpec(set), owned(bare, before, set, pod), pod, wanted))
                .isEqualTo(owned(bare, after, set, pod));
    }

    private static Document owned(Document claim, String owners, Document set, Document pod) {
        Document owned = claim;
        for (int i = 0; i < owners.length(); i++) {
            owned = switch (owners.charAt(i)) {
                case 's' -> OwnerReferences.withController(owned, StoredKinds.STATEFUL_SET, set);
                case 'p' -> OwnerReferences.withController(owned, Kinds.POD, pod);
                case 'o' -> OwnerReferences.withController(owned, Kinds.POD, pod.with("before", "metadata", "uid"));
                default ->
                    OwnerReferences.withController(
                            owned, Kinds.CONFIG_MAP, json("{'metadata':{'name':'x','uid':'x-uid'}}"));
            };
        }
        return owned;
    }

    @Test
    void aPodWaitsForTheClaimThatGoesWithTheOneBefore() {
        Document set = set().with("Delete", "spec", "persistentVolumeClaimRetentionPolicy", "whenScaled");
        Document revision = revision(set, 1);
        Document pod = pod(set, revision, 0, "ready");
        Document claim = owned(claims(set, 1).get("data-web-0"), "p", set, pod);
        SetObjects objects = new SetObjects(set, List.of(), Map.of("data-web-0", claim), List.of(revision));
        assertThat(StatefulSetPlan.of(objects, NOW).acts()).isEmpty();
    }

    @Test
    void aClaimIsGivenToItsPodBeforeThePodEnds() {
        Document set = set().with("Delete", "spec", "persistentVolumeClaimRetentionPolicy", "whenScaled")
                .with(0, "spec", "replicas");
        Document revision = revision(set, 1);
        assertThat(told(plan(set, List.of(pod(set, revision, 0, "ready")), 1, List.of(revision))))
                .containsExactly("replace data-web-0");
    }

    @Test
    void theStatusCountsThePodsAndAnUpdateThatIsThroughEnds() {
        Document first = set();
        Document old = revision(first, 1);
        Document set = withImage(first, "two").with(Fields.name(old), "status", "currentRevision");
        Document current = revision(set, 2);
        StatefulSetPlan under =
                plan(set, pods(set, old, current, "old:ready old:pending ready"), 9, List.of(old, current));
        assertThat(Fields.object(under.set(), "status"))
                .isEqualTo(json("""
                {'observedGeneration':3,'replicas':3,'readyReplicas':2,'currentReplicas':2,'updatedReplicas':1,
                 'availableReplicas':2,'currentRevision':'%s','updateRevision':'%s','collisionCount':0}""".formatted(Fields.name(old), Fields.name(current))));
        StatefulSetPlan through = plan(set, pods(set, old, current, "ready ready ready"), 9, List.of(old, current));
        assertThat(Fields.object(through.set(), "status"))
                .isEqualTo(json("""
                {'observedGeneration':3,'replicas':3,'readyReplicas':3,'currentReplicas':3,'updatedReplicas':3,
                 'availableReplicas':3,'currentRevision':'%s','updateRevision':'%s','collisionCount':0}""".formatted(Fields.name(current), Fields.name(current))));
    }

    @Test
    void itWakesWhenAPodHasBeenReadyForLongEnough() {
        Document set = set().with(40, "spec", "minReadySeconds");
        Document revision = revision(set, 1);
        StatefulSetPlan plan = plan(set, List.of(pod(set, revision, 0, "ready")), 9, List.of(revision));
        assertThat(plan.wake()).contains(Instant.parse("2024-01-01T00:01:10Z"));
        assertThat(plan.set().at("status", "availableReplicas")).contains(0L);
    }

    @Test
    void aPodBelowThePartitionIsMadeOfTheCurrentRevision() {
        Document first = set().with(2, "spec", "updateStrategy", "rollingUpdate", "partition");
        Document old = revision(first, 1);
        Document set = withImage(first, "two").with(Fields.name(old), "status", "currentRevision");
        Document current = revision(set, 2);
        StatefulSetPlan low = plan(set, pods(set, old, current, "- ready ready"), 9, List.of(old, current));
        assertThat(new MemberState(((SetAct.MakePod) low.acts().get(0)).pod()).revision())
                .isEqualTo(Fields.name(old));
        StatefulSetPlan high = plan(set, pods(set, old, current, "old:ready old:ready"), 9, List.of(old, current));
        assertThat(new MemberState(((SetAct.MakePod) high.acts().get(0)).pod()).revision())
                .isEqualTo(Fields.name(current));
    }
}
