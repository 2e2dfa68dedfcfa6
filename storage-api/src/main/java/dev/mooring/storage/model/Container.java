// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import dev.mooring.storage.document.Document;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a container uses of volumes.
 *
 * @param name its name
 * @param image its image
 * @param volumeMounts mounts
 * @param volumeDevices devices
 * @param resources how much of the machine it asks for
 * @param restartPolicy {@code Always} for an init container that runs beside the other containers
 * @param env its environment
 * @param envFrom objects whose values are variables too; {@code env} wins
 * @param securityContext the user and groups that it runs as
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record Container(
        String name,
        String image,
        List<VolumeMount> volumeMounts,
        List<VolumeDevice> volumeDevices,
        Optional<ResourceRequirements> resources,
        Optional<String> restartPolicy,
        List<EnvVar> env,
        List<Document> envFrom,
        Optional<SecurityContext> securityContext)
        implements ContainerBuilder.With {
    /** Copies lists and maps. */
    public Container {
        volumeMounts = Copies.list(volumeMounts);
        volumeDevices = Copies.list(volumeDevices);
        env = Copies.list(env);
        envFrom = Copies.list(envFrom);
    }

    /** A container of which only its volumes are known. */
    public Container(String name, String image, List<VolumeMount> volumeMounts, List<VolumeDevice> volumeDevices) {
        this(
                name,
                image,
                volumeMounts,
                volumeDevices,
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of(),
                Optional.empty());
    }
}
