// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.control.FollowedWorld;
import dev.mooring.binder.explain.Explanation.Awaited;
import dev.mooring.binder.explain.Explanation.Remedy;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Of pods, nodes, attachments and classes that are stuck: the first line is the cause, and the first advice, followed, ends it. */
@Tag("long")
class FollowedPodAdviceTest {
    /** What only pods, nodes, attachments and classes are told. */
    static final EnumSet<CauseCode> CODES = EnumSet.range(CauseCode.NO_VOLUME_WAITS, CauseCode.SEVERAL_DEFAULT_CLASSES);

    static final EnumSet<RemedyKind> KINDS = EnumSet.range(RemedyKind.REPLACE_POD, RemedyKind.NOT_DEFAULT);

    private static final int ROUNDS = 8;

    static Stream<StuckSituation> situations() {
        return StuckSituations.all().stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("situations")
    void theFirstLineIsTheCause(StuckSituation situation) {
        Explanation explanation = explained(situation, situation.objects()).orElseThrow();
        assertThat(ExplanationText.of(explanation).lines().findFirst().orElseThrow())
                .isEqualTo(situation.answer());
        assertThat(explanation.codes()).startsWith(situation.code());
        assertThat(explanation.remedies().stream().map(Remedy::kind).findFirst())
                .isEqualTo(situation.first());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("situations")
    void theFirstAdviceEndsIt(StuckSituation situation) {
        ended(situation, 0);
    }

    /** Beside the first advice: each other one that a person can carry out without knowing more. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("situations")
    void everyOtherAdviceEndsItToo(StuckSituation situation) {
        int advices = explained(situation, situation.objects())
                .orElseThrow()
                .remedies()
                .size();
        for (int i = 1; i < advices; i++) {
            ended(situation, i);
        }
    }

    /** Where one of the pods owns the claim, its data goes with the pod. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("situations")
    void whoIsAdvisedToDeletePodsReadsWhatBecomesOfTheData(StuckSituation situation) {
        boolean owned = situation.objects().stream()
                .filter(PersistentVolumeClaim.class::isInstance)
                .anyMatch(claim -> !claim.metadata().ownerReferences().isEmpty());
        assertThat(explained(situation, situation.objects()).orElseThrow().remedies())
                .filteredOn(remedy -> remedy.kind() == RemedyKind.DELETE_PODS)
                .allSatisfy(remedy -> assertThat(remedy.text())
                        .endsWith(
                                owned
                                        ? "policy Delete then destroys the data of volume pv."
                                        : "the data of volume pv stays."));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("situations")
    void whoIsAdvisedToSayThatAMachineIsOffReadsWhatIsAtStake(StuckSituation situation) {
        assertThat(explained(situation, situation.objects()).orElseThrow().remedies())
                .filteredOn(remedy -> remedy.kind() == RemedyKind.OUT_OF_SERVICE)
                .allSatisfy(
                        remedy -> assertThat(remedy.text()).endsWith("If a process there still writes, data is lost."));
    }

    @Test
    void thereAreFortySituationsAndTheyCoverEveryCauseAndAdvice() {
        EnumSet<CauseCode> codes = EnumSet.noneOf(CauseCode.class);
        EnumSet<RemedyKind> kinds = EnumSet.noneOf(RemedyKind.class);
        for (StuckSituation situation : StuckSituations.all()) {
            Explanation explanation = explained(situation, situation.objects()).orElseThrow();
            codes.addAll(explanation.codes());
            explanation.remedies().forEach(remedy -> kinds.add(remedy.kind()));
        }
        assertThat(StuckSituations.all()).hasSizeGreaterThanOrEqualTo(40);
        assertThat(codes).containsAll(CODES);
        assertThat(kinds).containsAll(KINDS);
    }

    private static Optional<Explanation> explained(StuckSituation situation, List<KubernetesObject> objects) {
        Snapshot snapshot = Snapshot.of(objects, ExplainedObjects.START.plus(Duration.ofHours(1)));
        return new Explainer(BinderOptions.DEFAULT, PluginRegistry.EMPTY)
                .explain(snapshot, situation.kind(), situation.key());
    }

    private static void ended(StuckSituation situation, int chosen) {
        FollowedWorld world = new FollowedWorld(BinderOptions.DEFAULT, PluginRegistry.EMPTY, situation.objects());
        AdvisedPerson person = new AdvisedPerson(world);
        PodPrograms programs = new PodPrograms(world);
        List<String> done = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            Optional<Explanation> now = explained(situation, world.objects());
            if (now.isEmpty() || now.get().isWell()) {
                return;
            }
            List<Remedy> remedies = now.get().remedies();
            List<String> actors = now.get().awaited().stream()
                    .map(Awaited::actor)
                    .filter(OtherPrograms::isProgram)
                    .toList();
            Optional<Remedy> next = round == 0 && chosen < remedies.size()
                    ? Optional.of(remedies.get(chosen))
                    : remedies.stream()
                            .filter(remedy ->
                                    remedy.kind() != RemedyKind.LOOK && remedy.kind() != RemedyKind.OUT_OF_SERVICE)
                            .findFirst();
            next.ifPresent(person::follow);
            next.ifPresent(remedy -> done.add(remedy.kind().name()));
            boolean acted = next.stream()
                    .flatMap(remedy -> remedy.actions().stream())
                    .anyMatch(action -> !(action instanceof RemedyAction.Look));
            if (!acted) {
                actors.forEach(programs::act);
                done.addAll(actors);
                if (actors.isEmpty()) {
                    programs.know(); // who looked knows what to do
                }
            }
        }
        assertThat(explained(situation, world.objects()).map(ExplanationText::of))
                .as("after " + done)
                .isEmpty();
    }
}
