// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.health;

import dev.mooring.binder.bound.BoundPair;
import dev.mooring.binder.bound.VolumeServer;
import dev.mooring.binder.calls.HealthCall;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Rank;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.spi.Health;
import dev.mooring.storage.spi.Health.Condition;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Looks every minute whether the bound volumes of CSI drivers are in good order, and tells their claims in external-health-monitor's words
 * (semantics/csi §13). It is for people only: nothing is done about it.
 */
public final class HealthController implements Controller {
    /** The name of this controller. */
    public static final String NAME = "volume-health";

    /** How long after one look the next one begins. */
    static final Duration INTERVAL = Duration.ofMinutes(1);

    /** When a driver is asked again that cannot tell. */
    static final Duration UNABLE = Duration.ofMinutes(10);

    /** When the same is told once more: an API server forgets events after an hour. */
    static final Duration REPEAT = Duration.ofMinutes(30);

    private static final String CHECK = "check-health";
    private static final Duration LIMIT = Duration.ofSeconds(15);
    private static final int LAST = 400;
    private static final String COMPONENT = "csi-pv-monitor-controller";

    private final PluginRegistry plugins;

    /**
     * Makes the controller.
     *
     * @param plugins the plugins of this process
     */
    public HealthController(PluginRegistry plugins) {
        this.plugins = plugins;
    }

    /**
     * What is known of a volume.
     *
     * @param dueNanos when it is looked at again
     * @param abnormal what is wrong with it; empty if nothing is
     * @param toldNanos when people were told that
     */
    private record Seen(long dueNanos, Optional<String> abnormal, long toldNanos) implements KeyState {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.PERSISTENT_VOLUME, Kinds.PERSISTENT_VOLUME_CLAIM);
    }

    /** Claims and volumes that wait for something come first. */
    @Override
    public Rank rank(Key key) {
        return Rank.tier(LAST);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (!change.concerns(Kinds.PERSISTENT_VOLUME)) {
            return;
        }
        ObjectChange<PersistentVolume> volume = change.as(Kinds.PERSISTENT_VOLUME);
        boolean another = !volume.before()
                .map(HealthController::bond)
                .equals(volume.after().map(HealthController::bond));
        if (another && served(volume.latest()).isPresent()) {
            mailbox.recheck(new Key(NAME, change.key()));
        }
    }

    private static List<Object> bond(PersistentVolume volume) {
        return List.of(
                volume.metadata().uid(), volume.status().phase(), volume.spec().claimRef());
    }

    private Optional<PluginName> served(PersistentVolume volume) {
        return volume.spec()
                .source()
                .flatMap(CsiSource::of)
                .flatMap(csi -> VolumeServer.with(Health.class, plugins, volume));
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        Optional<PersistentVolume> volume = situation.caches().get(Kinds.PERSISTENT_VOLUME, key.object());
        Optional<PersistentVolumeClaim> claim = volume.flatMap(BoundPair::claimOf)
                .flatMap(name -> BoundPair.of(situation.caches(), name))
                .filter(pair -> pair.volume()
                        .metadata()
                        .uid()
                        .equals(volume.get().metadata().uid()))
                .map(BoundPair::claim);
        Optional<PluginName> plugin = volume.flatMap(this::served);
        Optional<VolumeSpec> spec = volume.flatMap(VolumeSpec::of);
        if (claim.isEmpty() || plugin.isEmpty() || spec.isEmpty()) {
            return Decision.nothing();
        }
        long now = situation.now().monotonicNanos();
        if (state.isEmpty()) {
            return rest(new Seen(now + spread(volume.get()).toNanos(), Optional.empty(), now), now);
        }
        Seen known = (Seen) state.get();
        Optional<EffectResult> result = situation.resultOf(CHECK);
        Optional<Condition> condition = result.flatMap(EffectResult::outcome)
                .flatMap(outcome -> outcome.result())
                .map(Condition.class::cast);
        if (condition.isPresent()) {
            return seen(known, condition.get(), claim.get(), situation);
        }
        boolean unable = result.flatMap(EffectResult::outcome)
                .filter(outcome -> outcome.isRefused(Refusal.UNSUPPORTED))
                .isPresent();
        if (unable) {
            return rest(new Seen(now + UNABLE.toNanos(), Optional.empty(), now), now);
        }
        return known.dueNanos() > now ? rest(known, now) : look(known, plugin.get(), spec.get(), situation);
    }

    /** Volumes that a process finds at its start are not all looked at in one moment. */
    private static Duration spread(PersistentVolume volume) {
        return Duration.ofMillis(Math.floorMod(volume.metadata().uid().hashCode(), INTERVAL.toMillis()));
    }

    private static Decision rest(Seen known, long now) {
        return Decision.remember(known).wakeAfter(Duration.ofNanos(known.dueNanos() - now));
    }

    private static Decision look(Seen known, PluginName plugin, VolumeSpec spec, Situation situation) {
        Optional<Duration> wait = situation.backoff(CHECK);
        return wait.isPresent()
                ? Decision.remember(known).wakeAfter(wait.get())
                : Decision.act(new Effect.Perform(CHECK, new HealthCall(plugin, spec), Optional.empty(), LIMIT))
                        .withState(known);
    }

    private static Decision seen(Seen known, Condition condition, PersistentVolumeClaim claim, Situation situation) {
        long now = situation.now().monotonicNanos();
        long due = situation.now().monotonicNanosAfter(INTERVAL);
        if (!condition.abnormal()) {
            Decision rest = rest(new Seen(due, Optional.empty(), now), now);
            return known.abnormal().isEmpty()
                    ? rest
                    : rest.and(Announcement.normal(
                            Kinds.PERSISTENT_VOLUME_CLAIM,
                            claim,
                            "VolumeConditionNormal",
                            "The Volume returns to the healthy state",
                            COMPONENT));
        }
        boolean told = known.abnormal().filter(condition.message()::equals).isPresent()
                && now - known.toldNanos() < REPEAT.toNanos();
        Seen next = new Seen(due, Optional.of(condition.message()), told ? known.toldNanos() : now);
        return told
                ? rest(next, now)
                : rest(next, now)
                        .and(Announcement.warning(
                                Kinds.PERSISTENT_VOLUME_CLAIM,
                                claim,
                                "VolumeConditionAbnormal",
                                condition.message(),
                                COMPONENT));
    }
}
