// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.metrics;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.metrics.Counters;
import dev.mooring.runtime.metrics.Metric;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The gauges. They are counted as volumes and claims change, so that asking for them costs nothing for each object. Confined to the
 * decider.
 */
final class BinderGauges {
    private static final String NOT_AVAILABLE = "N/A";
    private static final String CLASS = "storage_class";

    private final PluginRegistry plugins;
    private final Counters total = new Counters("plugin_name", "volume_mode");
    private final Counters bound = new Counters(CLASS);
    private final Counters unbound = new Counters(CLASS);
    private final Counters released = new Counters(CLASS, "reclaim_policy");
    private final Map<ClassAndPolicy, TreeMap<Instant, Integer>> releasedSince = new HashMap<>();
    private final Counters boundClaims = claimCounters();
    private final Counters unboundClaims = claimCounters();

    private record ClassAndPolicy(String storageClass, String policy) {
        static ClassAndPolicy of(PersistentVolume volume) {
            return new ClassAndPolicy(StorageClasses.nameOf(volume).orElse(""), policyOf(volume));
        }
    }

    BinderGauges(PluginRegistry plugins) {
        this.plugins = plugins;
    }

    void volume(ObjectChange<PersistentVolume> change) {
        change.before().ifPresent(volume -> {
            total.uncount(pluginOf(volume, plugins), modeOf(volume));
            byPhase(volume).uncount(StorageClasses.nameOf(volume).orElse(""));
            if (isLeftOver(volume)) {
                ClassAndPolicy at = ClassAndPolicy.of(volume);
                released.uncount(at.storageClass, at.policy);
                releasedSince.computeIfPresent(at, (same, times) -> {
                    times.computeIfPresent(sinceOf(volume), (since, count) -> count > 1 ? count - 1 : null);
                    return times.isEmpty() ? null : times;
                });
            }
        });
        change.after().ifPresent(volume -> {
            total.count(pluginOf(volume, plugins), modeOf(volume));
            byPhase(volume).count(StorageClasses.nameOf(volume).orElse(""));
            if (isLeftOver(volume)) {
                ClassAndPolicy at = ClassAndPolicy.of(volume);
                released.count(at.storageClass, at.policy);
                releasedSince.computeIfAbsent(at, first -> new TreeMap<>()).merge(sinceOf(volume), 1, Integer::sum);
            }
        });
    }

    private Counters byPhase(PersistentVolume volume) {
        return volume.status().phase() == PersistentVolumePhase.BOUND ? bound : unbound;
    }

    void claim(ObjectChange<PersistentVolumeClaim> change) {
        change.before().ifPresent(claim -> byPhase(claim).uncount(labelsOf(claim)));
        change.after().ifPresent(claim -> byPhase(claim).count(labelsOf(claim)));
    }

    private Counters byPhase(PersistentVolumeClaim claim) {
        return claim.status().phase() == ClaimPhase.BOUND ? boundClaims : unboundClaims;
    }

    private static String[] labelsOf(PersistentVolumeClaim claim) {
        return new String[] {
            claim.metadata().namespace(),
            StorageClasses.nameOf(claim).orElse(""),
            claim.spec().volumeAttributesClassName().orElse("")
        };
    }

    List<Metric> metrics(Instant now) {
        Counters oldest = new Counters(CLASS, "reclaim_policy");
        releasedSince.forEach(
                (at, times) -> oldest.add(seconds(age(times.firstKey(), now)), at.storageClass, at.policy));
        return List.of(
                gauge(total, "pv_collector_total_pv_count", "Total number of volumes"),
                gauge(bound, "pv_collector_bound_pv_count", "Number of volumes that are bound"),
                gauge(unbound, "pv_collector_unbound_pv_count", "Number of volumes that are not bound"),
                gauge(boundClaims, "pv_collector_bound_pvc_count", "Number of claims that are bound"),
                gauge(unboundClaims, "pv_collector_unbound_pvc_count", "Number of claims that are not bound"),
                gauge(released, "mooring_released_volumes", "Number of volumes that are Released or Failed"),
                gauge(
                        oldest,
                        "mooring_released_volumes_oldest_seconds",
                        "For how long the oldest of these volumes has been Released or Failed"));
    }

    private static Metric gauge(Counters values, String name, String help) {
        return values.as(name, Metric.Type.GAUGE, help);
    }

    private static Counters claimCounters() {
        return new Counters("namespace", CLASS, "volume_attributes_class");
    }

    private static String modeOf(PersistentVolume volume) {
        VolumeMode mode = volume.spec().volumeMode().orElse(VolumeMode.FILESYSTEM);
        return mode == VolumeMode.BLOCK ? "Block" : "Filesystem";
    }

    static String policyOf(PersistentVolume volume) {
        String name = volume.spec().persistentVolumeReclaimPolicy().name();
        return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
    }

    static boolean isLeftOver(PersistentVolume volume) {
        PersistentVolumePhase phase = volume.status().phase();
        return phase == PersistentVolumePhase.RELEASED || phase == PersistentVolumePhase.FAILED;
    }

    /** For how long it has been in its phase; from its creation on if it does not say. */
    static Duration ageOf(PersistentVolume volume, Instant now) {
        return age(sinceOf(volume), now);
    }

    /** Since when it is in its phase; the end of time if nothing says so. */
    private static Instant sinceOf(PersistentVolume volume) {
        return volume.status()
                .lastPhaseTransitionTime()
                .or(() -> volume.metadata().creationTimestamp())
                .orElse(Instant.MAX);
    }

    private static Duration age(Instant since, Instant now) {
        return since.isAfter(now) ? Duration.ZERO : Duration.between(since, now);
    }

    static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }

    /** The plugin that serves a volume, in the words of Kubernetes, which appends the driver to its plugin for all of CSI. */
    static String pluginOf(PersistentVolume volume, PluginRegistry plugins) {
        return volume.spec().source().map(source -> pluginOf(source, plugins)).orElse(NOT_AVAILABLE);
    }

    private static String pluginOf(VolumeSource source, PluginRegistry plugins) {
        return plugins.serving(source)
                .map(plugin -> plugin.describe().name().value())
                .or(() -> CsiSource.of(source).map(csi -> "kubernetes.io/csi:" + csi.driver()))
                .orElse(NOT_AVAILABLE);
    }

    /** Who made a volume and will delete it. */
    static String provisionerOf(PersistentVolume volume, PluginRegistry plugins) {
        return volume.spec()
                .source()
                .flatMap(plugins::serving)
                .map(plugin -> plugin.describe().name().value())
                .or(() -> volume.metadata().annotation(Annotations.PROVISIONED_BY))
                .orElse(NOT_AVAILABLE);
    }
}
