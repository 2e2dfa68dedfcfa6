// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Target;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.runtime.record.RecordEntryPublishBuilder;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.PublishRequest.Occasion;
import dev.mooring.storage.spi.PublishRequestBuilder;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.calls.PodSetup;
import dev.mooring.volumemanager.calls.PublishCall;
import dev.mooring.volumemanager.calls.UnpublishCall;
import dev.mooring.volumemanager.wanted.DesiredVolume;
import dev.mooring.volumemanager.wanted.Device;
import dev.mooring.volumemanager.wanted.Resolution;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What is needed for one volume of one pod on this node, and the calls of its {@link RecordLife} (semantics/attach-and-mount §7.3). Pure.
 *
 * <p>What outlives a boot, such as a directory on the disk, is never undone while its pod lives: in another boot, and when the machine is
 * about to be shut down, its record goes from DONE back to INTENT and keeps what the plugin answered.
 *
 * <p>"Not needed" is never concluded from an object that is merely not in the cache (S7), and a volume that a pod needs is never taken
 * away because claim or volume no longer resolve.
 */
final class PodVolumeDecider extends RecordLife<Publish, PodVolumeState, DesiredVolume> {
    static final String COMPONENT = "kubelet";
    private static final String NO_LONGER_PREPARED =
            "the prepared volume is no longer mounted; it is prepared again when no other pod of this node has it";

    private static final String IN_USE_BY_ANOTHER =
            "volume uses the ReadWriteOncePod access mode and is already in use by another pod";

    private final NodeConfig config;
    private final PluginRegistry plugins;
    private final NodeRecords records;
    private final Handshake handshake;

    PodVolumeDecider(NodeConfig config, PluginRegistry plugins, NodeRecords records, InUseReport report) {
        super(config);
        this.config = config;
        this.plugins = plugins;
        this.records = records;
        this.handshake = new Handshake(config, report);
    }

    /**
     * Decides.
     *
     * @param podUid the pod
     * @param before what is known, before the results in the situation
     * @param suspect whether something seems to have gone from its place since those results were asked for
     * @param want whether the pod needs the volume, judged with those results
     */
    Decision decide(String podUid, PodVolumeState before, boolean suspect, DesiredVolume want, Situation situation) {
        PodVolumeState learnt = PodVolumeResults.learn(before, podUid, situation);
        return decide(
                (suspect ? learnt.distrust() : learnt).needing(needOf(want)),
                want,
                suspect ? PodVolumeResults.withoutFound(situation) : situation);
    }

    private Decision decide(PodVolumeState state, DesiredVolume want, Situation situation) {
        return live(state, want, situation)
                .and(failureEvent(state, want, situation))
                .and(DeviceEvents.of(want, situation))
                .concerning(concerns(state, want, situation));
    }

    /** Who waits: the pod, and where its object is gone already, the Node. */
    private List<Concern> concerns(PodVolumeState state, DesiredVolume want, Situation situation) {
        return want.<List<Concern>>match(
                needed -> List.of(Concerned.pod(refOf(needed.pod()), reasonOf(needed))),
                () -> unneeded(state, situation),
                () -> unneeded(state, situation));
    }

    private List<Concern> unneeded(PodVolumeState state, Situation situation) {
        return state.record()
                .or(state::appending)
                .map(record -> Concerned.podOrNode(record.pod(), Concerned.FAILED_UNMOUNT, config, situation.caches()))
                .orElse(List.of());
    }

    private static Optional<VolumeNeed> needOf(DesiredVolume want) {
        return want.<Optional<VolumeNeed>>match(
                needed -> needed.resolution()
                        .<Optional<VolumeNeed>>match(
                                ready -> Optional.of(new VolumeNeed(
                                        refOf(needed.pod()), ready.volumeId(), ready.singlePod(), ready.device())),
                                waiting -> Optional.empty(),
                                failed -> Optional.empty()),
                Optional::empty,
                Optional::empty);
    }

    private static PodRef refOf(Pod pod) {
        return new PodRef(
                pod.metadata().namespace(),
                pod.metadata().name(),
                pod.metadata().uid());
    }

    @Override
    Optional<Decision> begin(PodVolumeState state, DesiredVolume want, Situation situation) {
        return want.<Optional<Decision>>match(
                needed -> Optional.of(begin(state, needed, situation)), Optional::empty, Optional::empty);
    }

    private Decision begin(PodVolumeState state, DesiredVolume.Needed needed, Situation situation) {
        return needed.resolution()
                .<Decision>match(
                        ready -> begin(state, needed, ready, situation),
                        waiting -> waiting(state, waiting.reason()),
                        failed -> blocked(state, needed, failed.reason()));
    }

    private Decision begin(
            PodVolumeState state, DesiredVolume.Needed needed, Resolution.Ready ready, Situation situation) {
        Optional<Decision> hindered = hindered(state, needed, ready, situation);
        if (hindered.isPresent()) {
            return hindered.get();
        }
        List<Effect> reads = proofs(needed, ready);
        if (!PodVolumeResults.readLive(situation, reads)) {
            // Claim and volume are bound in the cache, which may be old: the storage may be about to be
            // reclaimed.
            return held(state, reads, situation);
        }
        return append(
                state,
                RecordEntryPublishBuilder.builder()
                        .pod(refOf(needed.pod()))
                        .podVolume(needed.volume().name())
                        .volume(ready.volume())
                        .volumeId(ready.volumeId())
                        .deviceMap(ready.deviceMap())
                        .state(PluginState.NONE)
                        .target(ready.target())
                        .phase(RecordPhase.INTENT)
                        .bootId(config.bootId())
                        .build(),
                situation);
    }

    /** What stands in the way on this node; empty if nothing does. */
    private Optional<Decision> hindered(
            PodVolumeState state, DesiredVolume.Needed needed, Resolution.Ready ready, Situation situation) {
        if (ready.singlePod()
                && records.isPublishedForAnother(
                        ready.volumeId(), needed.pod().metadata().uid())) {
            return Optional.of(blocked(state, needed, IN_USE_BY_ANOTHER));
        }
        if (ready.device().isEmpty()) {
            return Optional.empty();
        }
        Device device = ready.device().get();
        Optional<Stage> stage = records.stage(device.volumeId());
        if (stage.filter(found -> found.phase() != RecordPhase.UNDO && !device.fits(found))
                .isPresent()) {
            return Optional.of(blocked(state, needed, device.whyUnfit(stage.get())));
        }
        if (stage.filter(found -> found.phase() == RecordPhase.UNDO).isPresent()
                && records.isPublishedForAnother(
                        device.volumeId(), needed.pod().metadata().uid())) {
            return Optional.of(blocked(state, needed, NO_LONGER_PREPARED));
        }
        if (!handshake.mayAsk(device, situation.caches())) {
            return Optional.of(waiting(state, handshake.waitsFor(device, situation.caches())));
        }
        boolean prepared = stage.filter(found ->
                        found.phase() == RecordPhase.DONE && found.bootId().equals(config.bootId()))
                .isPresent();
        // Otherwise the volume's own key tells the pod what goes wrong there, and its record wakes this
        // one.
        return prepared
                ? Optional.empty()
                : Optional.of(waiting(
                        state,
                        "volume " + device.volume() + " is being prepared on node "
                                + config.node().name()));
    }

    private List<Effect> proofs(DesiredVolume.Needed needed, Resolution.Ready ready) {
        List<Effect> reads = new ArrayList<>();
        needed.volume().claim().ifPresent(claim -> {
            reads.add(new Effect.Read<>(AgentOperations.CHECK_CLAIM, Kinds.PERSISTENT_VOLUME_CLAIM, claim));
            reads.add(new Effect.Read<>(
                    AgentOperations.CHECK_VOLUME, Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(ready.volume())));
        });
        return reads;
    }

    private Effect checkNode() {
        return new Effect.Read<>(
                AgentOperations.CHECK_NODE,
                Kinds.NODE,
                ObjectKey.cluster(config.node().name()));
    }

    @Override
    Optional<Decision> waits(PodVolumeState state, Publish record, DesiredVolume want) {
        return Optional.empty();
    }

    /** A mount went with its boot, and with it its users; what the plugin keeps elsewhere is undone once. */
    @Override
    boolean hasEnded(Publish record) {
        return !isOfThisBoot(record) && !outlivesBoot(record);
    }

    @Override
    Optional<Decision> notKept(PodVolumeState state, Publish record, DesiredVolume want, Situation situation) {
        return want.<Optional<Decision>>match(
                needed -> isOfThisBoot(record)
                        ? Optional.empty()
                        : Optional.of(
                                append(state, record.in(RecordPhase.INTENT).withBootId(config.bootId()), situation)),
                () -> Optional.of(
                        state.podGone()
                                ? undo(state, record, situation)
                                : held(state, List.of(confirm(record)), situation)),
                () -> Optional.of(
                        outlivesBoot(record) && want.equals(DesiredVolume.LATER)
                                ? leave(state, record, situation)
                                : undo(state, record, situation)));
    }

    /** Whether the pod's data is where it was published, also after a reboot. */
    private boolean outlivesBoot(Publish record) {
        return record.deviceMap().isEmpty()
                && plugins.capability(record.volumeId().plugin(), Publishing.class)
                        .filter(plugin -> plugin.outlivesBoot(record.state()))
                        .isPresent();
    }

    /** The machine is about to be shut down: mounts go, and the pod's data and the record of it stay. */
    private Decision leave(PodVolumeState state, Publish record, Situation situation) {
        if (!isOfThisBoot(record) || state.progress().undone()) {
            return Decision.remember(state);
        }
        return record.phase() == RecordPhase.DONE
                ? append(state, record.in(RecordPhase.INTENT), situation)
                : held(state, List.of(unpublish(record, true)), situation);
    }

    @Override
    Decision settled(PodVolumeState state, Publish record, DesiredVolume want, Situation situation) {
        return Decision.remember(state);
    }

    @Override
    Decision missing(PodVolumeState state, Publish record, DesiredVolume want, Situation situation) {
        DesiredVolume.Needed needed = needed(want);
        return needed.pod().status().mayRun()
                ? Decision.remember(state.trust())
                        .and(Announcement.warning(
                                Kinds.POD,
                                needed.pod(),
                                "VolumeLost",
                                "volume " + needed.volume().name()
                                        + " is no longer mounted; it is mounted again when the pod is started again",
                                COMPONENT))
                : append(state, record.in(RecordPhase.INTENT), situation);
    }

    /** Of what is kept. */
    private static DesiredVolume.Needed needed(DesiredVolume want) {
        return want.<Optional<DesiredVolume.Needed>>match(Optional::of, Optional::empty, Optional::empty)
                .orElseThrow();
    }

    @Override
    Decision proceed(PodVolumeState state, Publish record, DesiredVolume want, Situation situation) {
        DesiredVolume.Needed needed = needed(want);
        return needed.resolution()
                .<Decision>match(
                        ready -> goOn(state, record, needed, ready, situation),
                        waiting -> waiting(state, waiting.reason()),
                        failed -> blocked(state, needed, failed.reason()));
    }

    private Decision goOn(
            PodVolumeState state,
            Publish record,
            DesiredVolume.Needed needed,
            Resolution.Ready ready,
            Situation situation) {
        if (!isOf(ready, record)) {
            return undo(state, record, situation); // The claim has another volume now; the pod never ran.
        }
        if (isLost(ready)) {
            // What was prepared for the pod has gone, and comes back only when no pod may have it (S10).
            return undo(state, record, situation);
        }
        Optional<Decision> hindered = hindered(state, needed, ready, situation);
        if (hindered.isPresent()) {
            return hindered.get();
        }
        Effect publish = publish(state, record, needed, ready);
        Optional<String> name = ready.device().flatMap(Device::reportedName);
        if (name.isEmpty() || situation.backoff(AgentOperations.PUBLISH).isPresent()) {
            return held(state, List.of(publish), situation);
        }
        // What was prepared for an earlier pod, or was there at the last try, may have been detached by
        // force since (S4).
        if (!PodVolumeResults.readLive(situation, List.of(checkNode()))) {
            return held(state, List.of(checkNode()), situation);
        }
        return handshake.nodeShows(name.get(), situation)
                ? held(state, List.of(publish), situation)
                : waiting(state, handshake.waitsFor(ready.device().get(), situation.caches()))
                        .wakeAfter(Defaults.BACKOFF_FIRST);
    }

    private boolean isLost(Resolution.Ready ready) {
        return ready.device()
                .flatMap(device -> records.stage(device.volumeId()))
                .filter(stage -> stage.phase() == RecordPhase.UNDO)
                .isPresent();
    }

    private static boolean isOf(Resolution.Ready ready, Publish record) {
        return ready.volumeId().equals(record.volumeId())
                && ready.target().equals(record.target())
                && ready.deviceMap().equals(record.deviceMap());
    }

    @Override
    RecordPhase ending(Publish record) {
        return RecordPhase.UNDO;
    }

    @Override
    Publish next(Publish record, PluginState answer, RecordPhase phase) {
        return record.with(answer).in(phase);
    }

    // ---- effects ----

    private Effect publish(PodVolumeState state, Publish record, DesiredVolume.Needed needed, Resolution.Ready ready) {
        Occasion first = state.untouched() ? Occasion.INITIAL : Occasion.RECOVERY;
        Occasion occasion = outlivesBoot(record) ? Occasion.RESUME : first;
        PublishRequest request = PublishRequestBuilder.builder()
                .volume(ready.shownSpec())
                .pod(record.pod())
                .target(record.target())
                .stagingPath(ready.device().flatMap(Device::stagingPath))
                .readOnly(ready.readOnly())
                .occasion(occasion)
                .bidirectional(needed.volume().use().bidirectional())
                .group(
                        ready.spec().mode() == VolumeMode.FILESYSTEM
                                ? PodSetup.groupOf(needed.pod())
                                : OptionalInt.empty())
                .build();
        return new Effect.Perform(
                AgentOperations.PUBLISH,
                new PublishCall(config.node(), record, request, ready.setup(), records.holders(record)),
                Optional.of(targetOf(record)),
                Defaults.MOUNT_TIME_LIMIT);
    }

    @Override
    Effect undoing(Publish record, Situation situation) {
        return unpublish(record, false);
    }

    private Effect unpublish(Publish record, boolean storageStays) {
        return new Effect.Perform(
                AgentOperations.UNPUBLISH,
                new UnpublishCall(config.node(), record, storageStays),
                Optional.of(targetOf(record)),
                Defaults.MOUNT_TIME_LIMIT);
    }

    private static Effect confirm(Publish record) {
        ObjectKey pod = ObjectKey.of(record.pod().namespace(), record.pod().name());
        return new Effect.Read<>(AgentOperations.CONFIRM_POD, Kinds.POD, pod);
    }

    private static Target targetOf(Publish record) {
        return new Target("path", record.target().toString());
    }

    // ---- what people are told ----

    private static Decision blocked(PodVolumeState state, DesiredVolume.Needed needed, String reason) {
        Decision decision = Decision.remember(state.telling(reason));
        return reason.equals(state.told()) ? decision : decision.and(failedMount(needed, reason));
    }

    /** Others are expected to act. An event follows if that takes long. */
    private static Decision waiting(PodVolumeState state, String reason) {
        return Decision.remember(state.telling("")).waitingFor(reason);
    }

    /** A pod that is deleted waits as well: as long as its volumes cannot be taken away it does not go. */
    private List<Effect> failureEvent(PodVolumeState state, DesiredVolume want, Situation situation) {
        return PodVolumeResults.failure(situation)
                .map(message -> Concerned.warnings(concerns(state, want, situation), message))
                .orElse(List.of());
    }

    private static Effect failedMount(DesiredVolume.Needed needed, String message) {
        return Announcement.warning(Kinds.POD, needed.pod(), reasonOf(needed), message, COMPONENT);
    }

    private static String reasonOf(DesiredVolume.Needed needed) {
        boolean block = needed.volume().use().modes().equals(Set.of(VolumeMode.BLOCK));
        return block ? "FailedMapVolume" : Concerned.FAILED_MOUNT;
    }
}
