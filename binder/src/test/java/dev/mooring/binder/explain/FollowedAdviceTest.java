// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.control.FollowedWorld;
import dev.mooring.binder.explain.Explanation.Awaited;
import dev.mooring.binder.explain.Explanation.Remedy;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClasses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Everything that an explanation advises is done, in a world where other claims wait and have data: the one that asked ends served, and of
 * the others only those that the advice names get anything. It is done when nothing moves any more, before the binder has seen anything,
 * and when what was advised before is out of date.
 */
@Tag("long")
class FollowedAdviceTest {
    private static final int ROUNDS = 6;

    /** When the person asks and acts. */
    private enum Moment {
        /** When nothing moves any more. */
        AT_REST,
        /** Before the binder has seen anything; it goes on after the person's act. */
        AT_ONCE,
        /** Asks before the binder has seen anything, and acts when nothing moves any more. */
        LATE
    }

    private int followed;
    private int waited;
    private final Set<RemedyKind> kinds = EnumSet.noneOf(RemedyKind.class);
    private final Set<CauseCode> codes = EnumSet.noneOf(CauseCode.class);
    private final SaidSentences sentences = new SaidSentences(
            Path.of("src/main/java/dev/mooring/binder/explain").toAbsolutePath());
    private final List<String> wrong = new ArrayList<>();

    @Test
    void aClaimWhoseAdviceIsFollowedIsServedAndNoOtherGetsAnything() {
        List<AdvisedSituation> situations = AdvisedSituation.all();
        for (AdvisedSituation situation : situations) {
            codes.addAll(situation.asWritten().codes());
            for (boolean crowded : new boolean[] {false, true}) {
                for (Moment moment : Moment.values()) {
                    attempts(situation, crowded, moment);
                }
            }
        }
        System.out.println(situations.size() + " situations, each with and without others: " + followed
                + " advices followed, " + waited + " times waited for programs; "
                + (sentences.all() - sentences.left().size()) + " of " + sentences.all() + " sentences said");
        assertThat(wrong).isEmpty();
        assertThat(sentences.left())
                .as("sentences of an advice that is followed in no situation: add one to AdvisedSituation")
                .containsExactlyInAnyOrderElementsOf(SaidSentences.UNSAID);
        assertThat(kinds)
                .as("every kind of remedy for claims and volumes")
                .containsExactlyInAnyOrderElementsOf(EnumSet.complementOf(FollowedPodAdviceTest.KINDS));
        assertThat(codes)
                .as("every cause of claims and volumes")
                .containsExactlyInAnyOrderElementsOf(EnumSet.complementOf(FollowedPodAdviceTest.CODES));
    }

    private void attempts(AdvisedSituation situation, boolean crowded, Moment moment) {
        Optional<Explanation> asked = asked(situation, world(situation, crowded, moment));
        if (asked.isEmpty()) {
            return; // it has gone by itself
        }
        Explanation first = asked.get();
        codes.addAll(first.codes());
        judge(situation, first);
        if (first.remedies().isEmpty()) {
            waited++;
            attempt(situation, crowded, moment, Optional.empty());
        }
        for (int i = 0; i < first.remedies().size(); i++) {
            followed++;
            kinds.add(first.remedies().get(i).kind());
            attempt(situation, crowded, moment, Optional.of(i));
        }
    }

    private static FollowedWorld world(AdvisedSituation situation, boolean crowded, Moment moment) {
        FollowedWorld world = situation.world(crowded);
        return moment == Moment.AT_REST ? world.atRest() : world;
    }

    // ---- what holds of the advice itself ----

    private void judge(AdvisedSituation situation, Explanation explanation) {
        boolean person = explanation.awaited().stream().map(Awaited::actor).anyMatch(a -> !OtherPrograms.isProgram(a));
        if (person && explanation.remedies().isEmpty()) {
            wrong.add(situation.name() + ": a person is waited for and not told what to do: " + explanation.awaited());
        }
        List<RemedyKind> advised =
                explanation.remedies().stream().map(Remedy::kind).toList();
        if (situation.predecessor()) {
            List<RemedyKind> keeping =
                    List.of(RemedyKind.ADOPT, RemedyKind.PREPARE_AND_ADOPT, RemedyKind.UNMARK, RemedyKind.NAME_VOLUME);
            if (advised.isEmpty() || !keeping.contains(advised.get(0))) {
                wrong.add(situation.name() + ": the data is not kept first: " + advised);
            }
            if (advised.contains(RemedyKind.DISCARD) || advised.contains(RemedyKind.DISCARD_BY_PATCH)) {
                wrong.add(situation.name() + ": the data is given away: " + advised);
            }
        }
        for (int i = 0; i < explanation.remedies().size(); i++) {
            Remedy remedy = explanation.remedies().get(i);
            boolean names =
                    remedy.receivers().stream().allMatch(key -> remedy.text().contains(key.toString()));
            if (!names) {
                wrong.add(situation.name() + ": " + remedy.kind() + " does not name " + remedy.receivers());
            }
            if (i == 0
                    && !remedy.receivers().isEmpty()
                    && explanation.remedies().size() > 1) {
                wrong.add(situation.name() + ": the first advice gives something to others: " + remedy.text());
            }
        }
    }

    // ---- following ----

    private Explanation explained(AdvisedSituation situation, FollowedWorld world) {
        return asked(situation, world).orElseThrow();
    }

    private Optional<Explanation> asked(AdvisedSituation situation, FollowedWorld world) {
        Snapshot snapshot = Snapshot.of(world.objects(), ExplainedObjects.START.plus(Duration.ofHours(1)));
        Explainer explainer = new Explainer(situation.options(), situation.plugins());
        Optional<Explanation> answer = situation
                .volume()
                .map(name -> explainer.volume(snapshot, name))
                .orElseGet(() -> explainer.claim(snapshot, AdvisedSituation.ASKER));
        answer.map(ExplanationText::of).ifPresent(sentences::said);
        return answer;
    }

    private void attempt(AdvisedSituation situation, boolean crowded, Moment moment, Optional<Integer> chosen) {
        String what = situation.name() + (crowded ? ", others beside" : "") + " " + moment;
        try {
            FollowedWorld world = world(situation, crowded, moment);
            Map<String, ObjectKey> data = data(world);
            Map<ObjectKey, String> others = others(world);
            Map<ObjectKey, String> anyway = others(world(situation, crowded, Moment.AT_REST));
            List<Remedy> done = new ArrayList<>();
            play(situation, world, moment, chosen, done);
            what += " " + done.stream().map(remedy -> remedy.kind().name()).toList();
            if (!isServed(situation, world, done)) {
                wrong.add(what + ": not served, but " + remains(situation, world));
            }
            noOtherClaimGotAnything(what, world, data, List.of(others, anyway), done);
        } catch (RuntimeException | AssertionError e) {
            wrong.add(what + " remedy " + chosen + ": " + e);
        }
    }

    private String remains(AdvisedSituation situation, FollowedWorld world) {
        try {
            return ExplanationText.of(explained(situation, world));
        } catch (RuntimeException e) {
            return "gone";
        }
    }

    private void play(
            AdvisedSituation situation,
            FollowedWorld world,
            Moment moment,
            Optional<Integer> chosen,
            List<Remedy> done) {
        AdvisedPerson person = new AdvisedPerson(world);
        OtherPrograms programs = new OtherPrograms(world);
        for (int round = 0; round < ROUNDS && !isServed(situation, world, done); round++) {
            Explanation now = explained(situation, world);
            if (round == 0 && chosen.isPresent()) {
                Remedy remedy = now.remedies().get(chosen.get());
                done.add(remedy);
                if (moment == Moment.LATE) {
                    world.atRest();
                }
                person.follow(remedy);
                continue;
            }
            Optional<Remedy> next = now.remedies().stream()
                    .filter(remedy -> remedy.kind() != RemedyKind.LOOK)
                    .findFirst();
            List<String> actors = now.awaited().stream()
                    .map(Awaited::actor)
                    .filter(OtherPrograms::isProgram)
                    .toList();
            actors.forEach(actor -> programs.act(actor, asker(world)));
            if (next.isPresent() && !isServed(situation, world, done)) {
                done.add(next.get());
                person.follow(next.get());
            } else if (actors.isEmpty() && round == 0) {
                world.atRest();
            } else if (actors.isEmpty()) {
                return;
            }
        }
    }

    private static PersistentVolumeClaim asker(FollowedWorld world) {
        return world.find(Kinds.PERSISTENT_VOLUME_CLAIM, AdvisedSituation.ASKER)
                .orElseGet(() -> ExplainedObjects.claim("1Gi"));
    }

    // ---- what came of it ----

    private boolean isServed(AdvisedSituation situation, FollowedWorld world, List<Remedy> done) {
        if (situation.volume().isPresent()) {
            Optional<PersistentVolume> volume = world.find(
                    Kinds.PERSISTENT_VOLUME,
                    ObjectKey.cluster(situation.volume().get()));
            return done.isEmpty()
                    ? volume.isEmpty() || explained(situation, world).codes().get(0) == CauseCode.NOTHING_WRONG
                    : volumeCameTo(situation, world, done.get(0), volume);
        }
        Optional<PersistentVolumeClaim> claim = world.find(Kinds.PERSISTENT_VOLUME_CLAIM, AdvisedSituation.ASKER);
        boolean leaves = situation.leaves();
        return leaves
                ? claim.isEmpty()
                : claim.filter(found -> found.status().phase() == ClaimPhase.BOUND && isOf(found, world))
                                .isPresent()
                        && explained(situation, world).codes().equals(List.of(CauseCode.NOTHING_WRONG));
    }

    private static boolean isOf(PersistentVolumeClaim claim, FollowedWorld world) {
        return world.find(
                        Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(claim.spec().volumeName()))
                .flatMap(volume -> volume.spec().claimRef())
                .filter(ref -> ref.uid().equals(claim.metadata().uid()))
                .isPresent();
    }

    /** A kind without a branch here does not compile. */
    private boolean volumeCameTo(
            AdvisedSituation situation, FollowedWorld world, Remedy remedy, Optional<PersistentVolume> volume) {
        String owner = volume.flatMap(found -> found.spec().claimRef())
                .map(ref -> ref.namespace() + "/" + ref.name())
                .orElse("");
        boolean bound = volume.isPresent()
                && world.all(Kinds.PERSISTENT_VOLUME_CLAIM).stream()
                        .anyMatch(claim -> claim.spec()
                                        .volumeName()
                                        .equals(volume.get().metadata().name())
                                && isOf(claim, world));
        boolean asked = owner.equals(AdvisedSituation.ASKER.toString());
        return switch (remedy.kind()) {
            case ADOPT, PREPARE_AND_ADOPT, MAKE_CLAIM -> bound && asked;
            case REBIND, REBIND_BY_PATCH ->
                asked
                        && (bound
                                || volume.flatMap(found -> found.spec().claimRef())
                                        .filter(ref -> ref.uid().isEmpty())
                                        .isPresent());
            case DISCARD, DISCARD_BY_PATCH ->
                remedy.receivers().isEmpty()
                        ? owner.isEmpty()
                        : bound && owner.equals(remedy.receivers().get(0).toString());
            case DELETE_VOLUME, DELETE_CLAIM -> volume.isEmpty();
            case UNMARK ->
                (remedy.receivers().isEmpty()
                                ? asked || owner.isEmpty()
                                : owner.equals(remedy.receivers().get(0).toString()))
                        && volume.orElseThrow()
                                .metadata()
                                .annotation(Annotations.RECLAIMING)
                                .isEmpty();
            case RETAIN -> asked && volume.orElseThrow().spec().persistentVolumeReclaimPolicy() == ReclaimPolicy.RETAIN;
            case CORRECT_VOLUME -> !explained(situation, world).codes().contains(CauseCode.INVALID);
            case ADOPT_FROM_OTHER,
                    ADD_VOLUME,
                    RESTORE_VOLUME,
                    FIT_VOLUME,
                    FIT_CLAIM,
                    REPLACE_CLAIM,
                    NAME_VOLUME,
                    CHOOSE_CLASS,
                    DEFAULT_CLASS,
                    REPLACE_CLASS,
                    START_POD,
                    SELECT_NODE,
                    DESELECT_NODE,
                    ADD_NODE,
                    LOOK,
                    DELETE_PODS,
                    ASK_FOR_LESS,
                    REPLACE_POD,
                    UNCORDON,
                    OUT_OF_SERVICE,
                    BACK_IN_SERVICE,
                    MAKE_CONTENT,
                    CORRECT_CLASS,
                    NOT_DEFAULT -> throw new AssertionError("no advice about volumes: " + remedy);
        };
    }

    /** Whose data is on which volume. */
    private static Map<String, ObjectKey> data(FollowedWorld world) {
        Map<String, ObjectKey> data = new TreeMap<>();
        world.all(Kinds.PERSISTENT_VOLUME)
                .forEach(volume -> volume.spec()
                        .claimRef()
                        .filter(ref -> !ref.uid().isEmpty())
                        .ifPresent(
                                ref -> data.put(volume.metadata().name(), ObjectKey.of(ref.namespace(), ref.name()))));
        return data;
    }

    /** What others have. */
    private static Map<ObjectKey, String> others(FollowedWorld world) {
        return world.all(Kinds.PERSISTENT_VOLUME_CLAIM).stream()
                .filter(claim -> !ObjectKey.of(claim).equals(AdvisedSituation.ASKER))
                .collect(Collectors.toMap(
                        ObjectKey::of,
                        claim -> claim.metadata().uid() + " " + claim.status().phase() + " "
                                + claim.spec().volumeName() + " " + StorageClasses.nameOf(claim) + " "
                                + claim.metadata().annotation(Annotations.STORAGE_PROVISIONER)));
    }

    private void noOtherClaimGotAnything(
            String what,
            FollowedWorld world,
            Map<String, ObjectKey> data,
            List<Map<ObjectKey, String>> states,
            List<Remedy> done) {
        Set<ObjectKey> changed = new TreeSet<>();
        Map<ObjectKey, String> after = others(world);
        for (ObjectKey key : states.get(0).keySet()) {
            // as it was, or as it becomes without any advice
            if (states.stream().noneMatch(state -> Objects.equals(state.get(key), after.get(key)))) {
                changed.add(key);
            }
        }
        Set<ObjectKey> named = done.stream()
                .flatMap(remedy -> remedy.receivers().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        named.remove(AdvisedSituation.ASKER);
        if (!changed.equals(named)) {
            wrong.add(what + ": " + changed + " changed, but the advice names " + named);
        }
        boolean asked = done.stream().anyMatch(remedy -> remedy.kind() == RemedyKind.ADOPT_FROM_OTHER);
        for (PersistentVolumeClaim claim : world.all(Kinds.PERSISTENT_VOLUME_CLAIM)) {
            ObjectKey key = ObjectKey.of(claim);
            ObjectKey owner = data.getOrDefault(claim.spec().volumeName(), key);
            boolean allowed = named.contains(key) || (asked && key.equals(AdvisedSituation.ASKER));
            if (isOf(claim, world) && !owner.equals(key) && !allowed) {
                wrong.add(what + ": " + key + " got the data of " + owner);
            }
        }
    }
}
