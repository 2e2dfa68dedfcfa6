// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Target;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.runtime.record.RecordEntryStageBuilder;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.calls.CompleteCall;
import dev.mooring.volumemanager.calls.StageCall;
import dev.mooring.volumemanager.calls.UnstageCall;
import dev.mooring.volumemanager.wanted.Device;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is needed of one volume on this node, for all its pods, and the calls of its {@link RecordLife} (semantics/attach-and-mount §7.3).
 * Pure.
 *
 * <p>It is staged before the first pod gets it, and unstaged only when the record of the last one is gone (S8); never both at once, and
 * never while a call that outlived its time limit still runs (S10). A volume that needs an attachment but no preparation goes the same
 * way without calls, so that the Node reports it in use exactly as long as the record stands (S5).
 */
final class StageDecider extends RecordLife<Stage, StageState, StageUse> {
    private static final String COMPONENT = "kubelet";
    private static final int MOST_EVENTS = 5;

    private final NodeConfig config;
    private final PluginRegistry plugins;
    private final MissingPaths lacking;
    private final Handshake handshake;

    StageDecider(NodeConfig config, PluginRegistry plugins, Handshake handshake) {
        super(config);
        this.config = config;
        this.plugins = plugins;
        this.lacking = new MissingPaths(plugins);
        this.handshake = handshake;
    }

    /**
     * Decides.
     *
     * @param before what is known, before the results in the situation
     * @param suspect whether something seems to have gone from its place since those results were asked for
     * @param use who uses the volume
     */
    Decision decide(StageState before, boolean suspect, StageUse use, Situation situation) {
        StageState learnt = StageResults.learn(before, situation);
        return decide(
                suspect ? learnt.distrust() : learnt,
                use,
                suspect ? PodVolumeResults.withoutFound(situation) : situation);
    }

    private Decision decide(StageState state, StageUse use, Situation situation) {
        Decision decision = live(state, use, situation);
        List<Concern> concerns = concerns(state, use, situation.caches());
        return decision.and(failures(use, concerns, situation)).concerning(concerns);
    }

    /** Who waits: the pods that need the volume; else, as long as it is not given back, the volume. */
    private List<Concern> concerns(StageState state, StageUse use, Caches caches) {
        if (!use.needs().isEmpty()) {
            return use.needs().stream()
                    .limit(MOST_EVENTS)
                    .map(need -> Concerned.pod(need.pod(), reason(use)))
                    .toList();
        }
        return state.record()
                .or(state::appending)
                .map(record -> Concerned.volumeOrNode(record.volume(), Concerned.FAILED_UNMOUNT, config, caches))
                .orElse(List.of());
    }

    @Override
    Optional<Decision> begin(StageState state, StageUse use, Situation situation) {
        return use.first()
                .map(device -> whenCleared(
                        state,
                        device,
                        AgentOperations.RECORD,
                        situation,
                        cleared -> append(cleared, first(device), situation)));
    }

    private Stage first(Device device) {
        return RecordEntryStageBuilder.builder()
                .volume(device.volume())
                .volumeId(device.volumeId())
                .reportedName(device.reportedName())
                .mode(device.spec().mode())
                .stagingPath(device.stagingPath())
                .accessModes(device.spec().accessModes())
                .readOnly(device.readOnly())
                .state(PluginState.NONE)
                .phase(device.stagingPath().isPresent() ? RecordPhase.INTENT : RecordPhase.DONE)
                .bootId(config.bootId())
                .seLinuxLabel(device.seLinuxLabel())
                .build();
    }

    /** What pods had of it in another boot is undone first (S8). */
    @Override
    Optional<Decision> waits(StageState state, Stage record, StageUse use) {
        return use.published() && !isOfThisBoot(record)
                ? Optional.of(Decision.remember(state)
                        .waitingFor("what pods still have of volume " + record.volume()
                                + " from before this node's restart is unmounted first"))
                : Optional.empty();
    }

    /** After a reboot the mounts are gone, but sessions may have been kept. */
    @Override
    boolean hasEnded(Stage record) {
        return !isOfThisBoot(record);
    }

    @Override
    Optional<Decision> notKept(StageState state, Stage record, StageUse use, Situation situation) {
        return use.uses(record) ? Optional.empty() : Optional.of(undo(state, record, situation));
    }

    @Override
    Decision settled(StageState state, Stage record, StageUse use, Situation situation) {
        return state.lost() ? lost(state, record, use, situation) : staged(state, record, use, situation);
    }

    /**
     * On a bare directory no pod shall run (semantics/attach-and-mount §6.1, #51982). While pods have the volume nothing is staged (S10);
     * they hold it by mounts of their own, and no other pod gets it.
     */
    @Override
    Decision missing(StageState state, Stage record, StageUse use, Situation situation) {
        return lost(state.losing(), record, use, situation);
    }

    /** What was missing when it was staged is asked for from time to time, as long as a pod uses the volume and it is attached here. */
    private Decision staged(StageState state, Stage record, StageUse use, Situation situation) {
        if (state.answer().isPresent()) {
            // If the answer lacks something still, it is asked for again after a rest.
            return append(
                    state.lackingSince(situation.now()),
                    record.with(state.answer().get()),
                    situation);
        }
        Optional<String> missing = lacking.of(record);
        if (missing.isEmpty()) {
            return Decision.remember(state.whole())
                    .and(
                            state.lacking().isPresent()
                                    ? events(
                                            use,
                                            false,
                                            MissingPaths.WHOLE,
                                            "volume " + record.volume() + " is complete again")
                                    : List.of());
        }
        if (state.lacking().isEmpty()) {
            return Decision.remember(state.lackingSince(situation.now()))
                    .wakeAfter(MissingPaths.FIRST)
                    .and(events(use, true, MissingPaths.MISSING, missing.get()));
        }
        Optional<Duration> wait = MissingPaths.wait(state, situation.now());
        Optional<Device> device = use.fitting(record);
        if (wait.isPresent() || device.isEmpty()) {
            Decision decision = Decision.remember(state);
            return wait.map(decision::wakeAfter).orElse(decision);
        }
        return whenCleared(
                state,
                device.get(),
                AgentOperations.COMPLETE,
                situation,
                cleared -> held(cleared, complete(record, device.get(), cleared.attached()), situation));
    }

    private Decision lost(StageState state, Stage record, StageUse use, Situation situation) {
        return use.published()
                ? Decision.remember(state)
                        .waitingFor("the prepared volume " + record.volume()
                                + " is no longer mounted; it is prepared again when no pod of this node has it")
                : append(state, record.in(RecordPhase.INTENT), situation);
    }

    @Override
    Decision proceed(StageState state, Stage record, StageUse use, Situation situation) {
        Optional<Device> device = use.fitting(record);
        return device.isPresent()
                ? whenCleared(
                        state,
                        device.get(),
                        AgentOperations.STAGE,
                        situation,
                        cleared -> held(cleared, stage(record, device.get(), cleared.attached()), situation))
                : Decision.remember(state);
    }

    @Override
    RecordPhase ending(Stage record) {
        return record.stagingPath().isPresent() ? RecordPhase.UNDO : RecordPhase.GONE;
    }

    @Override
    Stage next(Stage record, PluginState answer, RecordPhase phase) {
        return record.with(answer).in(phase);
    }

    // ---- the handshake ----

    private interface Next {
        Decision decide(StageState cleared);
    }

    /** What was read is not kept for later: a call that has to wait asks again when its time has come. */
    private Decision whenCleared(StageState state, Device device, String operation, Situation situation, Next next) {
        Optional<Duration> wait = situation.backoff(operation);
        if (wait.isPresent()) {
            return Decision.remember(state.uncleared()).wakeAfter(wait.get());
        }
        if (!handshake.mayAsk(device, situation.caches())) {
            return Decision.remember(state.uncleared()); // the pod's own key says what it waits for
        }
        if (state.isClearedAt(situation.now())) {
            return next.decide(state);
        }
        List<Effect> reads = handshake.reads(device);
        if (!PodVolumeResults.readLive(situation, reads)) {
            return held(state, reads, situation);
        }
        Optional<Map<String, String>> attached = handshake.judge(device, situation);
        return attached.isPresent()
                ? next.decide(state.cleared(attached.get(), situation.now()))
                : askedAgain(state.denied())
                        .waitingFor("the API server does not show volume " + device.volume()
                                + " attached to this node, bound, and in use here");
    }

    /** The caches say otherwise than the store; a change of the Node may never come if it is the attachment that is wrong. */
    private static Decision askedAgain(StageState state) {
        long doublings = Math.min(state.denials() - 1, 8);
        Duration wait = Defaults.BACKOFF_FIRST.multipliedBy(1L << doublings);
        return Decision.remember(state)
                .wakeAfter(wait.compareTo(Defaults.BACKOFF_LONGEST) < 0 ? wait : Defaults.BACKOFF_LONGEST);
    }

    // ---- effects ----

    private Effect stage(Stage record, Device device, Map<String, String> attached) {
        return new Effect.Perform(
                AgentOperations.STAGE,
                new StageCall(config.node(), record, device.preparedSpec(), attached, device.group()),
                Optional.of(targetOf(record.volumeId())),
                Defaults.MOUNT_TIME_LIMIT);
    }

    private Effect complete(Stage record, Device device, Map<String, String> attached) {
        return new Effect.Perform(
                AgentOperations.COMPLETE,
                new CompleteCall(config.node(), record, device.preparedSpec(), attached),
                Optional.of(targetOf(record.volumeId())),
                Defaults.MOUNT_TIME_LIMIT);
    }

    @Override
    Effect undoing(Stage record, Situation situation) {
        Caches caches = situation.caches();
        Optional<VolumeSpec> noted = caches.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(record.volume()))
                .flatMap(VolumeSpec::of)
                .filter(spec -> plugins.identify(spec.source()).equals(Optional.of(record.volumeId())));
        return new Effect.Perform(
                AgentOperations.UNSTAGE,
                new UnstageCall(config.node(), record, noted),
                Optional.of(targetOf(record.volumeId())),
                Defaults.MOUNT_TIME_LIMIT);
    }

    /** What must see one call at a time: stage, unstage and expand of a volume (S10). */
    static Target targetOf(VolumeId volume) {
        return new Target("volume", volume.toString());
    }

    private static Decision held(StageState state, Effect effect, Situation situation) {
        return held(state, List.of(effect), situation);
    }

    private static List<Effect> failures(StageUse use, List<Concern> concerns, Situation situation) {
        return StageResults.failure(situation)
                .map(message -> use.needs().isEmpty()
                        ? Concerned.warnings(concerns, message)
                        : events(use, true, reason(use), message))
                .orElse(List.of());
    }

    private static String reason(StageUse use) {
        return isDevice(use) ? "FailedMapVolume" : Concerned.FAILED_MOUNT;
    }

    private static boolean isDevice(StageUse use) {
        return use.first()
                .filter(device -> device.spec().mode() == VolumeMode.BLOCK)
                .isPresent();
    }

    private static List<Effect> events(StageUse use, boolean warning, String reason, String message) {
        return use.needs().stream()
                .limit(MOST_EVENTS)
                .<Effect>map(need -> new Effect.Announce(new Announcement(
                        Kinds.POD,
                        ObjectKey.of(need.pod().namespace(), need.pod().name()),
                        need.pod().uid(),
                        warning,
                        reason,
                        message,
                        COMPONENT)))
                .toList();
    }
}
