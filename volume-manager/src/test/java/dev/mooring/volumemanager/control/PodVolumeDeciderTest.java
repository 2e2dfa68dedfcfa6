// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordCall;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.runtime.record.RecordEntryPublishBuilder;
import dev.mooring.runtime.record.RecordEntryStageBuilder;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.model.AttachedVolume;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.volumemanager.calls.PodSetup;
import dev.mooring.volumemanager.calls.PublishCall;
import dev.mooring.volumemanager.calls.UnpublishCall;
import dev.mooring.volumemanager.wanted.DesiredVolume;
import dev.mooring.volumemanager.wanted.Device;
import dev.mooring.volumemanager.wanted.Resolution;
import dev.mooring.volumemanager.wanted.Usage;
import dev.mooring.volumemanager.wanted.WantedVolume;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every phase, wanted or not, with every result (semantics/attach-and-mount §7.3). */
class PodVolumeDeciderTest {
    private static final Path TARGET = SmallCluster.ROOT.resolve("pods/web-uid/volumes/example.com~fake/pv1");
    private static final VolumeId ID = new VolumeId(FakePlugin.NAME, "/data/pv1");
    private static final PluginState STATE = new PluginState(3, "what publish answered");
    private static final Publish INTENT = RecordEntryPublishBuilder.builder()
            .pod(new PodRef("ns", "web", "web-uid"))
            .podVolume("v")
            .volume("pv1")
            .volumeId(ID)
            .state(PluginState.NONE)
            .target(TARGET)
            .phase(RecordPhase.INTENT)
            .bootId("boot-1")
            .build();
    private static final Caches CACHES = new Caches(List.of(Kinds.NODE, Kinds.POD), change -> {});

    private static final PluginRegistry PLUGINS = new PluginRegistry(List.of(new FakePlugin()));

    private final PodVolumeDecider decider =
            new PodVolumeDecider(SmallCluster.CONFIG, PLUGINS, new NodeRecords(List.of()), new InUseReport());

    /**
     * Columns: what the log says ({@code @}: of another boot; {@code ~}: what outlives a boot), what the pod wants, what came back since, what is done.
     * {@code ready*}: resolved to another volume than the recorded one.
     */
    @ParameterizedTest(name = "{0} | {1} | {2} -> {3}")
    @CsvSource(delimiter = '|', textBlock = """
                    none     | ready   | -                  | read check-claim, read check-volume
                    none     | ready   | proofs             | record INTENT
                    none     | ready   | proofs unavailable | read check-claim, read check-volume
                    none     | waiting | -                  | nothing
                    none     | failed  | -                  | FailedMount
                    none     | unknown | -                  | forget
                    none     | not     | -                  | forget
                    INTENT   | ready   | -                  | publish RECOVERY
                    INTENT   | ready   | recorded INTENT    | publish INITIAL
                    INTENT   | ready   | publish done       | record DONE
                    INTENT   | ready   | publish refused    | publish RECOVERY, FailedMount
                    INTENT   | ready   | publish uncertain  | publish RECOVERY, FailedMount
                    INTENT   | ready   | publish deferred   | publish RECOVERY, FailedMount
                    INTENT   | ready*  | -                  | record UNDO
                    INTENT   | waiting | -                  | nothing
                    INTENT   | failed  | -                  | FailedMount
                    INTENT   | unknown | -                  | read confirm-pod
                    INTENT   | unknown | pod absent         | record UNDO
                    INTENT   | unknown | pod is another     | record UNDO
                    INTENT   | unknown | pod unavailable    | read confirm-pod
                    INTENT   | not     | -                  | record UNDO
                    INTENT   | not     | publish done       | record UNDO
                    INTENT   | not     | publish uncertain  | record UNDO
                    INTENT   | not     | publish refused    | record UNDO
                    INTENT@  | ready   | -                  | record UNDO
                    INTENT@  | unknown | -                  | record UNDO
                    DONE     | ready   | -                  | verify
                    DONE     | ready   | found              | nothing
                    DONE     | ready   | lost               | record INTENT
                    DONE     | ready   | not looked         | verify
                    DONE     | ready   | recorded DONE      | verify
                    DONE     | ready*  | found              | nothing
                    DONE     | waiting | found              | nothing
                    DONE     | failed  | found              | nothing
                    DONE     | unknown | -                  | read confirm-pod
                    DONE     | unknown | pod absent         | record UNDO
                    DONE     | not     | -                  | record UNDO
                    DONE@    | ready   | -                  | record UNDO
                    DONE@    | not     | -                  | record UNDO
                    UNDO     | ready   | -                  | unpublish
                    UNDO     | unknown | -                  | unpublish
                    UNDO     | not     | -                  | unpublish
                    UNDO     | not     | unpublish done     | record GONE
                    UNDO     | ready   | unpublish done     | record GONE
                    UNDO     | not     | unpublish uncertain| unpublish
                    UNDO     | not     | unpublish refused  | unpublish
                    UNDO     | ready   | unpublish refused  | unpublish, FailedMount
                    UNDO@    | ready   | -                  | unpublish
                    none     | later   | -                  | forget
                    INTENT   | later   | -                  | record UNDO
                    DONE     | later   | -                  | record UNDO
                    DONE@    | later   | -                  | record UNDO
                    DONE@~   | ready   | -                  | record INTENT
                    DONE@~   | failed  | -                  | record INTENT
                    INTENT@~ | ready   | -                  | record INTENT
                    INTENT~  | ready   | -                  | publish RESUME
                    INTENT~  | ready   | publish refused    | publish RESUME, FailedMount
                    DONE~    | ready   | -                  | verify
                    DONE@~   | unknown | -                  | read confirm-pod
                    DONE@~   | unknown | pod absent         | record UNDO
                    DONE@~   | not     | -                  | record UNDO
                    INTENT@~ | not     | -                  | record UNDO
                    DONE@~   | later   | -                  | nothing
                    INTENT@~ | later   | -                  | nothing
                    DONE~    | later   | -                  | record INTENT
                    INTENT~  | later   | -                  | unpublish, storage stays
                    INTENT~  | later   | unpublish refused  | unpublish, storage stays
                    INTENT~  | later   | unpublish done     | nothing
                    INTENT~  | not     | unpublish done     | record UNDO
                    UNDO~    | ready   | -                  | unpublish
                    UNDO@~   | later   | -                  | unpublish
                    UNDO     | not     | recorded GONE      | forget
                    UNDO     | ready   | recorded GONE      | read check-claim, read check-volume
                    """)
    void decides(String log, String want, String result, String expected) {
        PodVolumeState before = PodVolumeState.of(record(log));

        Decision decision = decider.decide("web-uid", before, false, want(want), situation(results(result), Map.of()));

        assertThat(describe(decision)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"DONE@~", "INTENT@~"})
    void whatOutlivesABootKeepsItsRecordWhichIsOfTheNewBootFromThenOn(String log) {
        Publish before = record(log).orElseThrow();

        Decision decision = decider.decide(
                "web-uid",
                PodVolumeState.of(Optional.of(before)),
                false,
                want("ready"),
                situation(List.of(), Map.of()));

        assertThat(entryOf(decision))
                .isEqualTo(before.in(RecordPhase.INTENT).withBootId("boot-1"))
                .extracting(Publish::state)
                .isEqualTo(before.state());
    }

    @Test
    void keepsWhatPublishAnsweredInTheRecord() {
        Decision decision = decider.decide(
                "web-uid",
                PodVolumeState.of(Optional.of(INTENT)),
                false,
                want("ready"),
                situation(results("publish done"), Map.of()));

        assertThat(entryOf(decision)).isEqualTo(INTENT.with(STATE).in(RecordPhase.DONE));
    }

    @Test
    void undoesFromWhatPublishAnsweredThoughDoneWasNeverRecorded() {
        Decision decision = decider.decide(
                "web-uid",
                PodVolumeState.of(Optional.of(INTENT)),
                false,
                want("not"),
                situation(results("publish done"), Map.of()));

        assertThat(entryOf(decision)).isEqualTo(INTENT.with(STATE).in(RecordPhase.UNDO));
    }

    @Test
    void whileAnOperationBacksOffPeopleAreToldAllTheSame() {
        Decision decision = decider.decide(
                "web-uid",
                PodVolumeState.of(Optional.of(INTENT)),
                false,
                want("ready"),
                situation(results("publish refused"), Map.of(AgentOperations.PUBLISH, Duration.ofSeconds(7))));

        assertThat(describe(decision)).isEqualTo("FailedMount");
        assertThat(decision.wakeAfter()).contains(Duration.ofSeconds(7));
    }

    @Test
    void anIntentWhoseAppendIsUncertainIsWithdrawnWhenNotNeeded() {
        PodVolumeState before = PodVolumeState.NONE.appending(INTENT);

        assertThat(describe(decider.decide("web-uid", before, false, want("not"), situation(List.of(), Map.of()))))
                .isEqualTo("record GONE");
        assertThat(before.standing()).contains(INTENT);
    }

    @Test
    void anUndoWhoseAppendIsUncertainIsNotForgottenForANewWish() {
        PodVolumeState before = PodVolumeState.of(Optional.of(INTENT)).appending(INTENT.in(RecordPhase.UNDO));

        assertThat(describe(decider.decide("web-uid", before, false, want("ready"), situation(List.of(), Map.of()))))
                .isEqualTo("record UNDO");
    }

    /** The volume may have been detached by force while an earlier try was refused; the cache may not show it yet (S4). */
    @Test
    void anAttachedVolumeIsLookedAtLiveBeforeEveryTry() {
        String name = "example.com/fake//data/pv1";
        Node node = SmallCluster.node();
        Node showing = node.withStatus(node.status()
                .withVolumesInUse(List.of(name))
                .withVolumesAttached(List.of(new AttachedVolume(name, ""))));
        Caches caches = new Caches(List.of(Kinds.NODE), change -> {});
        caches.of(Kinds.NODE).replace(List.of(showing), Revision.parse("1"));
        VolumeSpec spec = VolumeSpec.inline("pv1", "default", SmallCluster.source("/data/pv1"));
        Device device = new Device(
                "pv1",
                ID,
                spec,
                Optional.of(new Device.Attachment(name, "attachment")),
                Optional.empty(),
                false,
                Optional.empty(),
                OptionalInt.empty());
        Stage stage = RecordEntryStageBuilder.builder()
                .volume("pv1")
                .volumeId(ID)
                .reportedName(name)
                .mode(spec.mode())
                .accessModes(spec.accessModes())
                .state(PluginState.NONE)
                .phase(RecordPhase.DONE)
                .bootId("boot-1")
                .build();
        NodeRecords records = new NodeRecords(List.of());
        records.learnStage(ID, Optional.of(stage));
        Resolution ready = new Resolution.Ready(
                "pv1", ID, spec, TARGET, Optional.empty(), false, Optional.of(device), PodSetup.NONE);
        WantedVolume volume = new WantedVolume(
                "v", Optional.of(ObjectKey.of("ns", "data")), Optional.empty(), false, false, Usage.UNKNOWN);
        PodVolumeState before = PodVolumeState.NONE.appending(INTENT).appended(INTENT);

        Decision decision = new PodVolumeDecider(SmallCluster.CONFIG, PLUGINS, records, new InUseReport())
                .decide(
                        "web-uid",
                        before,
                        false,
                        new DesiredVolume.Needed(SmallCluster.pod("web"), volume, ready),
                        new Situation(caches, new Time(Instant.EPOCH, 0), Map.of(), results("publish refused")));

        assertThat(describe(decision)).isEqualTo("read check-node, FailedMount");
    }

    // ---- the words of the table ----

    private static Optional<Publish> record(String log) {
        if (log.equals("none")) {
            return Optional.empty();
        }
        boolean otherBoot = log.contains("@");
        RecordPhase phase = RecordPhase.valueOf(log.replaceAll("[@~]", ""));
        Publish record = INTENT.withState(log.contains("~") ? new PluginState(1, FakePlugin.ON_DISK) : PluginState.NONE)
                .withPhase(phase)
                .withBootId(otherBoot ? "boot-0" : "boot-1");
        return Optional.of(record);
    }

    private static DesiredVolume want(String word) {
        WantedVolume volume = new WantedVolume(
                "v", Optional.of(ObjectKey.of("ns", "data")), Optional.empty(), false, false, Usage.UNKNOWN);
        return switch (word) {
            case "ready" -> new DesiredVolume.Needed(SmallCluster.pod("web"), volume, ready("/data/pv1"));
            case "ready*" -> new DesiredVolume.Needed(SmallCluster.pod("web"), volume, ready("/data/other"));
            case "waiting" ->
                new DesiredVolume.Needed(SmallCluster.pod("web"), volume, new Resolution.Waiting("not bound"));
            case "failed" ->
                new DesiredVolume.Needed(SmallCluster.pod("web"), volume, new Resolution.Failed("no plugin"));
            case "unknown" -> DesiredVolume.UNKNOWN;
            case "not" -> DesiredVolume.NOT;
            case "later" -> DesiredVolume.LATER;
            default -> throw new IllegalArgumentException(word);
        };
    }

    private static Resolution ready(String path) {
        return new Resolution.Ready(
                "pv1",
                new VolumeId(FakePlugin.NAME, path),
                VolumeSpec.inline("pv1", "default", SmallCluster.source(path)),
                TARGET,
                Optional.empty(),
                false,
                Optional.empty(),
                PodSetup.NONE);
    }

    private static Situation situation(List<EffectResult> results, Map<String, Duration> backoffs) {
        return new Situation(CACHES, new Time(Instant.EPOCH, 0), backoffs, results);
    }

    private static List<EffectResult> results(String word) {
        return switch (word) {
            case "-" -> List.of();
            case "proofs" ->
                List.of(
                        read(AgentOperations.CHECK_CLAIM, StoreResult.ok(SmallCluster.claim("data", "pv1"))),
                        read(AgentOperations.CHECK_VOLUME, StoreResult.ok(SmallCluster.volume("pv1", "data"))));
            case "proofs unavailable" ->
                List.of(
                        read(AgentOperations.CHECK_CLAIM, StoreResult.ok(SmallCluster.claim("data", "pv1"))),
                        read(AgentOperations.CHECK_VOLUME, StoreResult.failed(Failure.UNAVAILABLE, "no answer")));
            case "pod absent" ->
                List.of(read(AgentOperations.CONFIRM_POD, StoreResult.failed(Failure.NOT_FOUND, "not found")));
            case "pod is another" ->
                List.of(read(AgentOperations.CONFIRM_POD, StoreResult.ok(SmallCluster.pod("another"))));
            case "pod unavailable" ->
                List.of(read(AgentOperations.CONFIRM_POD, StoreResult.failed(Failure.UNAVAILABLE, "no answer")));
            case "recorded INTENT" -> List.of(recorded(INTENT));
            case "recorded GONE" -> List.of(recorded(INTENT.in(RecordPhase.GONE)));
            case "recorded DONE" -> List.of(recorded(INTENT.in(RecordPhase.DONE)));
            case "found" -> List.of(performed(AgentOperations.VERIFY, Outcome.done(true)));
            case "lost" -> List.of(performed(AgentOperations.VERIFY, Outcome.done(false)));
            case "not looked" -> List.of(performed(AgentOperations.VERIFY, Outcome.uncertain("no table")));
            case "publish done" -> List.of(performed(AgentOperations.PUBLISH, Outcome.done(STATE)));
            case "publish refused" -> List.of(performed(AgentOperations.PUBLISH, refused()));
            case "publish uncertain" -> List.of(performed(AgentOperations.PUBLISH, Outcome.uncertain("no answer")));
            case "publish deferred" -> List.of(performed(AgentOperations.PUBLISH, Outcome.deferred("not yet")));
            case "unpublish done" -> List.of(performed(AgentOperations.UNPUBLISH, Outcome.done()));
            case "unpublish uncertain" -> List.of(performed(AgentOperations.UNPUBLISH, Outcome.uncertain("no answer")));
            case "unpublish refused" -> List.of(performed(AgentOperations.UNPUBLISH, refused()));
            default -> throw new IllegalArgumentException(word);
        };
    }

    private static Outcome<?> refused() {
        return Outcome.refused(Refusal.DENIED, "no");
    }

    private static EffectResult read(String operation, StoreResult<?> result) {
        return new EffectResult.Stored(new Effect.Read<>(operation, Kinds.POD, ObjectKey.of("ns", "any")), result);
    }

    private static EffectResult recorded(Publish entry) {
        return new EffectResult.Performed(
                new Effect.Perform(
                        AgentOperations.RECORD, new RecordCall("n1", entry), Optional.empty(), Duration.ofMinutes(1)),
                Outcome.done());
    }

    private static EffectResult performed(String operation, Outcome<?> outcome) {
        return new EffectResult.Performed(
                new Effect.Perform(
                        operation,
                        new UnpublishCall(SmallCluster.NODE, INTENT),
                        Optional.empty(),
                        Duration.ofMinutes(1)),
                outcome);
    }

    private static Publish entryOf(Decision decision) {
        Effect.Perform perform = (Effect.Perform) decision.effects().get(0);
        return ((RecordCall) perform.call()).entry().match(entry -> entry, stage -> {
            throw new AssertionError(stage);
        });
    }

    private static String describe(Decision decision) {
        List<String> words = new ArrayList<>();
        for (Effect effect : decision.effects()) {
            words.add(describe(effect));
        }
        if (words.isEmpty()) {
            return decision.state().isPresent() ? "nothing" : "forget";
        }
        return String.join(", ", words);
    }

    private static String describe(Effect effect) {
        if (effect instanceof Effect.Announce announce) {
            return announce.announcement().reason();
        }
        if (effect instanceof Effect.Perform perform && perform.call() instanceof RecordCall append) {
            return "record " + append.entry().phase();
        }
        if (effect instanceof Effect.Perform perform && perform.call() instanceof PublishCall publish) {
            return "publish " + publish.request().occasion();
        }
        if (effect instanceof Effect.Perform perform
                && perform.call() instanceof UnpublishCall unpublish
                && unpublish.storageStays()) {
            return "unpublish, storage stays";
        }
        return effect instanceof Effect.Read<?> ? "read " + effect.operation() : effect.operation();
    }
}
