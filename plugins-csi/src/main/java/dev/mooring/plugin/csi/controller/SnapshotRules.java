// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.SnapshotRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a VolumeSnapshotClass says to Mooring, and what of it goes to the driver, as csi-snapshotter reads it.
 *
 * @param passed the parameters that the driver is given, in a fixed order
 * @param secret the secret with which snapshots are made and destroyed; empty if none is named
 */
record SnapshotRules(Map<String, String> passed, Optional<ObjectKey> secret) {
    private static final String PREFIX = "csi.storage.k8s.io/";
    private static final String USE = PREFIX + "snapshotter-secret-";
    private static final String LIST_USE = PREFIX + "snapshotter-list-secret-";
    private static final String NAME = "name";
    private static final String NAMESPACE = "namespace";

    /** Reads the parameters of a class; INVALID names the parameter that is wrong. Pure. */
    static Outcome<SnapshotRules> of(SnapshotRequest request) {
        Map<String, String> passed = new LinkedHashMap<>();
        for (Map.Entry<String, String> parameter : request.parameters().entrySet()) {
            String key = parameter.getKey();
            if (!key.startsWith(PREFIX)) {
                passed.put(key, parameter.getValue());
            } else if (!isSecret(key, USE) && !isSecret(key, LIST_USE)) {
                return Outcome.refused(
                        Refusal.INVALID,
                        "found unknown parameter key \"" + key + "\" with reserved namespace " + PREFIX);
            }
        }
        return secret(request, USE).map(secret -> new SnapshotRules(passed, secret));
    }

    /** The secret with which the driver is asked for snapshots; empty if the class names none. */
    static Outcome<Optional<ObjectKey>> listSecret(SnapshotRequest request) {
        return secret(request, LIST_USE);
    }

    private static Outcome<Optional<ObjectKey>> secret(SnapshotRequest request, String use) {
        return SecretTemplate.both(
                        Optional.ofNullable(request.parameters().get(use + NAME)),
                        Optional.ofNullable(request.parameters().get(use + NAMESPACE)),
                        use + NAME)
                .then(template -> template.map(found -> found.of(request).map(Optional::of))
                        .orElseGet(() -> Outcome.done(Optional.empty())));
    }

    private static boolean isSecret(String key, String use) {
        return key.equals(use + NAME) || key.equals(use + NAMESPACE);
    }
}
