// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder;

import dev.mooring.binder.capacity.CapacityController;
import dev.mooring.binder.control.BinderController;
import dev.mooring.binder.ephemeral.EphemeralClaims;
import dev.mooring.binder.expansion.ExpansionController;
import dev.mooring.binder.health.HealthController;
import dev.mooring.binder.modification.ModificationController;
import dev.mooring.binder.protection.AttributesClassProtection;
import dev.mooring.binder.protection.ClaimProtection;
import dev.mooring.binder.protection.CloneProtection;
import dev.mooring.binder.protection.VolumeProtection;
import dev.mooring.binder.snapshotting.SnapshotController;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.spi.CapacityReporting;
import dev.mooring.storage.spi.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The PV/PVC control plane: makes the controllers to hand to a runtime, and answers questions about them.
 *
 * <p>One instance belongs to one runtime. Its questions are asked on the decider's thread:
 *
 * <pre>{@code
 * runtime.ask(caches -> binder.preview(claim, caches))
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Binder {
    /** What the program beside which a side-car works does itself. */
    private static final Set<Class<? extends Controller>> ANOTHERS = Set.of(
            ClaimProtection.class, VolumeProtection.class, AttributesClassProtection.class, EphemeralClaims.class);

    private final BinderController binder;
    private final BinderOptions options;
    private final PluginRegistry plugins;
    private final boolean besideOthers;

    /**
     * Makes a binder.
     *
     * @param options where it differs from upstream
     * @param plugins the plugins that provision and reclaim in this process. The runtime has to carry their calls out: {@code
     *     RuntimeOptions.defaults().withCalls(new BinderCallHandler(plugins, …))}, a {@link dev.mooring.binder.calls.BinderCallHandler};
     *     with the defaults alone every call is deferred again and again
     */
    public Binder(BinderOptions options, PluginRegistry plugins) {
        this.binder = new BinderController(options, plugins);
        this.options = options;
        this.plugins = plugins;
        this.besideOthers = options.has(BinderSwitch.SNAPSHOTS_BESIDE_OTHERS);
    }

    /** All controllers: {@code binder} first, then its companions; the name of each is a constant of its class. */
    public List<Controller> controllers() {
        boolean alone = options.beside().isEmpty();
        Stream<Controller> all = Stream.of(
                binder,
                new ClaimProtection(),
                new CloneProtection(),
                new VolumeProtection(),
                new AttributesClassProtection(),
                new ExpansionController(plugins, alone),
                new ModificationController(plugins),
                new EphemeralClaims());
        List<Controller> controllers = new ArrayList<>(
                all.filter(each -> alone || !ANOTHERS.contains(each.getClass())).toList());
        Optional<CapacityRole> telling =
                options.beside().map(ProvisionerRole::capacity).orElse(Optional.of(CapacityRole.DEFAULT));
        telling.filter(role -> plugins.all().stream()
                        .anyMatch(plugin ->
                                plugin.capability(CapacityReporting.class).isPresent()))
                .ifPresent(role -> controllers.add(new CapacityController(plugins, role)));
        if (plugins.all().stream()
                .anyMatch(plugin -> plugin.capability(Health.class).isPresent())) {
            controllers.add(new HealthController(plugins));
        }
        if (binder.makesSnapshots()) {
            controllers.add(new SnapshotController(plugins, besideOthers));
        }
        return List.copyOf(controllers);
    }

    /**
     * Which volume would a claim get now? A dry run: the claim need not exist, and nothing is reserved or written.
     *
     * @param claim the claim
     * @param caches the caches of the runtime that this binder belongs to
     * @return the name of the volume; empty if no volume fits
     */
    public Optional<String> preview(PersistentVolumeClaim claim, Caches caches) {
        return binder.preview(claim, caches);
    }

    /** How many entries of the volume index all matches so far looked at; for tests and metrics. */
    public long indexProbes() {
        return binder.probes();
    }
}
