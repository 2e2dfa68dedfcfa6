// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.metrics;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.metrics.Counters;
import dev.mooring.runtime.metrics.Metric;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** The gauges, counted from the caches when they are asked for. Pure functions. */
final class BinderGauges {
    private static final String NOT_AVAILABLE = "N/A";
    private static final String CLASS = "storage_class";

    private BinderGauges() {}

    static List<Metric> metrics(Caches caches, PluginRegistry plugins, Instant now) {
        Counters total = new Counters("plugin_name", "volume_mode");
        Counters bound = new Counters(CLASS);
        Counters unbound = new Counters(CLASS);
        Counters released = new Counters(CLASS, "reclaim_policy");
        Counters oldest = new Counters(CLASS, "reclaim_policy");
        for (PersistentVolume volume : caches.of(Kinds.PERSISTENT_VOLUME).all()) {
            total.count(pluginOf(volume, plugins), modeOf(volume));
            String storageClass = StorageClasses.nameOf(volume).orElse("");
            boolean isBound = volume.status().phase() == PersistentVolumePhase.BOUND;
            (isBound ? bound : unbound).count(storageClass);
            if (isLeftOver(volume)) {
                String policy = policyOf(volume);
                released.count(storageClass, policy);
                oldest.max(seconds(ageOf(volume, now)), storageClass, policy);
            }
        }
        Counters boundClaims = claimCounters();
        Counters unboundClaims = claimCounters();
        for (PersistentVolumeClaim claim :
                caches.of(Kinds.PERSISTENT_VOLUME_CLAIM).all()) {
            boolean isBound = claim.status().phase() == ClaimPhase.BOUND;
            (isBound ? boundClaims : unboundClaims)
                    .count(
                            claim.metadata().namespace(),
                            StorageClasses.nameOf(claim).orElse(""),
                            claim.spec().volumeAttributesClassName().orElse(""));
        }
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
        Instant since = volume.status()
                .lastPhaseTransitionTime()
                .or(() -> volume.metadata().creationTimestamp())
                .orElse(now);
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
