// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Refusal;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a storage class says to Mooring, and what of it goes to the driver (semantics/csi §8.3).
 *
 * @param fsType the file system of new volumes; empty for the driver's own choice
 * @param passed the parameters that the driver is given, in a fixed order
 * @param secrets where the secrets of each operation are
 */
record DriverClass(String fsType, Map<String, String> passed, Map<SecretUse, SecretTemplate> secrets) {
    private static final String PREFIX = "csi.storage.k8s.io/";
    private static final String FS_TYPE = "fstype";

    /** Reads the parameters of a claim's class; INVALID names the parameter that is wrong. Pure. */
    static Outcome<DriverClass> of(ProvisionRequest request, String usualFsType) {
        Map<String, String> passed = new LinkedHashMap<>();
        Optional<String> fsType = Optional.empty();
        for (Map.Entry<String, String> parameter : request.parameters().entrySet()) {
            String key = parameter.getKey();
            boolean isFsType =
                    key.equals(PREFIX + FS_TYPE) || key.toLowerCase(Locale.ROOT).equals(FS_TYPE);
            if (isFsType && fsType.isPresent()) {
                return invalid("the class has two parameters for the file system: " + PREFIX + FS_TYPE + " and fstype");
            } else if (isFsType) {
                fsType = Optional.of(parameter.getValue());
            }
            if (key.startsWith(PREFIX)) {
                if (!isFsType && !SecretUse.isParameter(key)) {
                    return invalid("found unknown parameter key \"" + key + "\" with reserved prefix " + PREFIX);
                }
            } else {
                // the older names of secrets too, as external-provisioner does
                passed.put(key, parameter.getValue());
            }
        }
        String found = fsType.orElse(usualFsType);
        return SecretTemplate.all(request.parameters()).map(secrets -> new DriverClass(found, passed, secrets));
    }

    private static <T> Outcome<T> invalid(String why) {
        return Outcome.refused(Refusal.INVALID, why);
    }
}
