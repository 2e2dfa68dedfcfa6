// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import dev.mooring.csi.v1.Volume;
import dev.mooring.plugin.csi.driver.Sizes;
import dev.mooring.runtime.plugin.SidecarRules;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.VolumeTemplate;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** From a driver's answer to the PersistentVolume (semantics/csi §8.6). Pure. */
final class NewVolume {
    /** By which process a volume was made; drivers are used to it. */
    private static final String IDENTITY = "storage.kubernetes.io/csiProvisionerIdentity";

    private NewVolume() {}

    /** The secrets of each operation, as the class's templates say for a claim. */
    static Outcome<Map<SecretUse, ObjectKey>> secrets(DriverClass rules, ProvisionRequest request) {
        Map<SecretUse, ObjectKey> all = new EnumMap<>(SecretUse.class);
        for (Map.Entry<SecretUse, SecretTemplate> template : rules.secrets().entrySet()) {
            Outcome<ObjectKey> secret = template.getValue().of(request);
            if (!secret.isDone()) {
                return secret.map(none -> all);
            }
            all.put(template.getKey(), secret.result().orElseThrow());
        }
        return Outcome.done(all);
    }

    /** What is known before the driver has made the volume: not its handle. */
    static VolumeTemplate planned(String driver, ProvisionRequest request) {
        return new VolumeTemplate(
                new CsiSource(driver, "", "", false, Map.of()).toSource(),
                request.requested(),
                request.accessModes(),
                Optional.empty(),
                Map.of());
    }

    /** What was made. */
    static VolumeTemplate made(
            String driver,
            ProvisionRequest request,
            DriverClass rules,
            Map<SecretUse, ObjectKey> secrets,
            Volume volume,
            SidecarRules manner) {
        String fsType = request.mode() == VolumeMode.FILESYSTEM ? rules.fsType() : "";
        Map<String, String> attributes = new LinkedHashMap<>(volume.getVolumeContextMap());
        manner.identity().ifPresent(identity -> attributes.put(IDENTITY, identity + "-" + driver));
        boolean readOnly =
                manner.readOnlyVolumes() && request.accessModes().equals(List.of(AccessMode.READ_ONLY_MANY));
        VolumeSource source =
                new CsiSource(driver, volume.getVolumeId(), fsType, readOnly, attributes).toSource();
        for (Map.Entry<SecretUse, ObjectKey> secret : secrets.entrySet()) {
            if (secret.getKey().sourceField().isPresent()) {
                source = new VolumeSource(
                        source.type(),
                        source.attributes()
                                .with(
                                        Map.of(
                                                "name", secret.getValue().name(),
                                                "namespace", secret.getValue().namespace()),
                                        secret.getKey().sourceField().get()));
            }
        }
        return new VolumeTemplate(
                source,
                Sizes.larger(request.requested(), volume.getCapacityBytes()),
                request.accessModes(),
                VolumePlaces.affinity(volume.getAccessibleTopologyList()),
                annotations(secrets));
    }

    /** Even without a secret for the deletion, so that none is looked for in a class that has changed since. */
    private static Map<String, String> annotations(Map<SecretUse, ObjectKey> secrets) {
        Map<String, String> annotations = new LinkedHashMap<>();
        SecretAnnotations.DELETION.put(Optional.ofNullable(secrets.get(SecretUse.PROVISIONER)), annotations);
        Optional<ObjectKey> modify = Optional.ofNullable(secrets.get(SecretUse.CONTROLLER_MODIFY));
        if (modify.isPresent()) {
            SecretAnnotations.MODIFY.put(modify, annotations);
        }
        return annotations;
    }
}
