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
import dev.mooring.runtime.plugin.ConditionMemory;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.spi.Health;
import dev.mooring.storage.spi.Health.Condition;
import dev.mooring.storage.spi.PluginName;
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
        if (state.isEmpty()) {
            return rest(ConditionMemory.first(situation.now(), spread(volume.get())), situation);
        }
        ConditionMemory known = (ConditionMemory) state.get();
        Optional<EffectResult> result = situation.resultOf(CHECK);
        Optional<Condition> condition = ConditionMemory.seenBy(result);
        if (condition.isPresent()) {
            return seen(known, condition.get(), claim.get(), situation);
        }
        if (ConditionMemory.isUnable(result)) {
            return rest(ConditionMemory.unable(situation.now()), situation);
        }
        return known.rest(situation.now()).isPresent()
                ? rest(known, situation)
                : look(known, plugin.get(), spec.get(), situation);
    }

    /** Volumes that a process finds at its start are not all looked at in one moment. */
    private static Duration spread(PersistentVolume volume) {
        return Duration.ofMillis(
                Math.floorMod(volume.metadata().uid().hashCode(), ConditionMemory.INTERVAL.toMillis()));
    }

    private static Decision rest(ConditionMemory known, Situation situation) {
        return Decision.remember(known).wakeAfter(known.rest(situation.now()).orElse(Duration.ZERO));
    }

    private static Decision look(ConditionMemory known, PluginName plugin, VolumeSpec spec, Situation situation) {
        Optional<Duration> wait = situation.backoff(CHECK);
        return wait.isPresent()
                ? Decision.remember(known).wakeAfter(wait.get())
                : Decision.act(new Effect.Perform(CHECK, new HealthCall(plugin, spec), Optional.empty(), LIMIT))
                        .withState(known);
    }

    private static Decision seen(
            ConditionMemory known, Condition condition, PersistentVolumeClaim claim, Situation situation) {
        Decision rest = rest(known.after(condition, situation.now()), situation);
        return known.isNews(condition, situation.now()) ? rest.and(news(condition, claim)) : rest;
    }

    private static Effect news(Condition condition, PersistentVolumeClaim claim) {
        return condition.abnormal()
                ? Announcement.warning(
                        Kinds.PERSISTENT_VOLUME_CLAIM, claim, ConditionMemory.ABNORMAL, condition.message(), COMPONENT)
                : Announcement.normal(
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        claim,
                        ConditionMemory.NORMAL,
                        ConditionMemory.RECOVERED,
                        COMPONENT);
    }
}
