// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Rank;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Target;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.PublishRequest.Occasion;
import dev.mooring.storage.spi.PublishRequestBuilder;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.calls.PodSetup;
import dev.mooring.volumemanager.calls.PublishCall;
import dev.mooring.volumemanager.wanted.Device;
import dev.mooring.volumemanager.wanted.Resolution;
import dev.mooring.volumemanager.wanted.Resolver;
import dev.mooring.volumemanager.wanted.WantedVolume;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Publishes volumes again and again whose CSIDriver says {@code requiresRepublish}, such as those that show credentials (semantics/csi
 * §6.7): a minute after the last time, as a kubelet does when it looks at its pods. Only volumes whose record says DONE are published
 * again, and a raw device never is. A call that fails is repeated and never takes away what is shown (#121271).
 */
public final class Republishing extends NodeController {
    /** How long after one call the next one begins. */
    static final Duration INTERVAL = Duration.ofMinutes(1);

    private static final String TYPE = "republished-volume";

    private final PluginRegistry plugins;
    private final Resolver resolver;
    private final NodeRecords records;
    /** The drivers that say so; while there are none nothing is looked at. */
    private final Set<String> asking = new TreeSet<>();

    public Republishing(NodeConfig config, PluginRegistry plugins, NodeRecords records) {
        super(config);
        this.plugins = plugins;
        this.resolver = new Resolver(config, plugins);
        this.records = records;
        records.onPublish(record -> {
            if (!asking.isEmpty()) {
                recheck(key(record));
            }
        });
    }

    /**
     * When a volume is published again.
     *
     * @param dueNanos the earliest time of the next call
     */
    private record Due(long dueNanos) implements KeyState {}

    private static Key key(Publish record) {
        return new Key(TYPE, ObjectKey.of(record.pod().uid(), record.podVolume()));
    }

    @Override
    public String name() {
        return "republishing";
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.CSI_DRIVER, Kinds.NODE, Kinds.PERSISTENT_VOLUME, Kinds.PERSISTENT_VOLUME_CLAIM, Kinds.POD);
    }

    /** A pod that waits for a volume comes first. */
    @Override
    public Rank rank(Key key) {
        return Rank.tier(300);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (!change.concerns(Kinds.CSI_DRIVER)) {
            return;
        }
        String driver = change.key().name();
        boolean changed = change.as(Kinds.CSI_DRIVER)
                        .after()
                        .filter(Republishing::wantsIt)
                        .isPresent()
                ? asking.add(driver)
                : asking.remove(driver);
        if (changed) {
            records.all().forEach(record -> mailbox.recheck(key(record)));
        }
    }

    private static boolean wantsIt(CSIDriver driver) {
        return driver.spec().requiresRepublish().orElse(false);
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        Optional<Publish> record = records.of(
                        key.object().namespace(), key.object().name())
                .filter(found -> isPublished(found) && found.deviceMap().isEmpty());
        Optional<Pod> pod = record.flatMap(found -> podOf(found, situation.caches()))
                .filter(found -> !found.hasEnded() && !found.metadata().isDeleting());
        Optional<Resolution> resolution = pod.flatMap(found -> resolution(found, record.orElseThrow(), situation));
        if (resolution.isEmpty() || asking.isEmpty()) {
            return Decision.nothing();
        }
        return resolution
                .get()
                .match(
                        ready -> isSame(ready, record.orElseThrow()) && isAsked(ready)
                                ? decide(record.orElseThrow(), pod.get(), ready, state, situation)
                                : Decision.nothing(),
                        waiting -> unresolved(record.orElseThrow(), waiting.reason(), state),
                        failed -> unresolved(record.orElseThrow(), failed.reason(), state));
    }

    /**
     * Nothing tells this controller when claim, volume and node are whole again, so it looks after each interval. People are told of
     * volumes that were due before; of others it is unknown whether their driver asks.
     */
    private static Decision unresolved(Publish record, String reason, Optional<KeyState> state) {
        return state.isEmpty()
                ? Decision.nothing().wakeAfter(INTERVAL)
                : Decision.remember(state.get())
                        .wakeAfter(INTERVAL)
                        .concerning(Concerned.pod(record.pod(), Concerned.FAILED_MOUNT))
                        .waitingFor(reason);
    }

    private Decision decide(
            Publish record, Pod pod, Resolution.Ready ready, Optional<KeyState> state, Situation situation) {
        long now = situation.now().monotonicNanos();
        Optional<EffectResult> result = situation.resultOf(AgentOperations.REFRESH);
        Optional<Due> known = state.map(Due.class::cast);
        if (known.isEmpty() || result.filter(EffectResult::succeeded).isPresent()) {
            return Decision.remember(new Due(situation.now().monotonicNanosAfter(INTERVAL)))
                    .wakeAfter(INTERVAL);
        }
        if (known.get().dueNanos() > now) {
            return Decision.remember(known.get())
                    .wakeAfter(Duration.ofNanos(known.get().dueNanos() - now));
        }
        return RecordLife.held(known.get(), List.of(publish(record, pod, ready)), situation)
                .and(failure(pod, result))
                .concerning(Concerned.pod(record.pod(), Concerned.FAILED_MOUNT));
    }

    private Optional<Resolution> resolution(Pod pod, Publish record, Situation situation) {
        return WantedVolume.of(pod, plugins).stream()
                .filter(volume -> volume.name().equals(record.podVolume()))
                .findFirst()
                .map(volume -> resolver.resolve(pod, volume, true, situation.caches()));
    }

    private static boolean isSame(Resolution.Ready ready, Publish record) {
        return ready.volumeId().equals(record.volumeId()) && ready.target().equals(record.target());
    }

    private boolean isAsked(Resolution.Ready ready) {
        return CsiSource.of(ready.spec().source())
                .filter(csi -> asking.contains(csi.driver()))
                .isPresent();
    }

    private Effect publish(Publish record, Pod pod, Resolution.Ready ready) {
        PublishRequest request = PublishRequestBuilder.builder()
                .volume(ready.shownSpec())
                .pod(record.pod())
                .target(record.target())
                .stagingPath(ready.device().flatMap(Device::stagingPath))
                .readOnly(ready.readOnly())
                .occasion(Occasion.REPUBLISH)
                .group(PodSetup.groupOf(pod))
                .build();
        return new Effect.Perform(
                AgentOperations.REFRESH,
                new PublishCall(config.node(), record, request, ready.setup(), records.holders(record)),
                Optional.of(new Target("path", record.target().toString())),
                Defaults.MOUNT_TIME_LIMIT);
    }

    private static List<Effect> failure(Pod pod, Optional<EffectResult> result) {
        return result.filter(answer -> !answer.succeeded())
                .map(answer ->
                        List.of(Announcement.warning(Kinds.POD, pod, "FailedMount", answer.message(), "kubelet")))
                .orElse(List.of());
    }
}
