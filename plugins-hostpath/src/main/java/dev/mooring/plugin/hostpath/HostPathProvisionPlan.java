// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.plugin.support.DirectoryPermissions;
import dev.mooring.plugin.support.ProvisionedVolumes;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.HostPathSource;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeNodeAffinity;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeTemplate;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a new volume will be. Pure.
 *
 * <p>Parameters of the class: {@code mode}, permission bits of the directory in octal digits, and {@code gid}, its group, which pods
 * get as a supplemental group. Without a mode it is 0770 with a gid and 0777 without one. The root is no parameter: who may
 * write a class may not choose where the node writes.
 *
 * @param request what was asked for
 * @param permissions bits and group of the directory; without a group it is the agent's own
 */
record HostPathProvisionPlan(ProvisionRequest request, DirectoryPermissions permissions) {
    private static final String HOSTNAME = "kubernetes.io/hostname";
    private static final String MODE = "mode";
    private static final String GROUP = "gid";

    static Outcome<HostPathProvisionPlan> of(ProvisionRequest request) {
        return problem(request)
                .<Outcome<HostPathProvisionPlan>>map(why -> Outcome.refused(Refusal.INVALID, why))
                .orElseGet(() -> Outcome.done(checked(request)));
    }

    private static Optional<String> problem(ProvisionRequest request) {
        if (request.mode() == VolumeMode.BLOCK) {
            return Optional.of("a hostPath volume has no block mode");
        }
        if (!request.mountOptions().isEmpty()) {
            return Optional.of("a hostPath volume has no mount options");
        }
        return ProvisionedVolumes.nameProblem(request, "a directory of a volume")
                .or(() -> ProvisionedVolumes.parameterProblem(
                        request.parameters(), List.of(MODE, GROUP), HostPathProvisionPlan::isParameter));
    }

    private static boolean isParameter(String name, String value) {
        return switch (name) {
            case MODE -> DirectoryPermissions.isMode(value);
            case GROUP -> DirectoryPermissions.isGroup(value);
            default -> false;
        };
    }

    private static HostPathProvisionPlan checked(ProvisionRequest request) {
        return new HostPathProvisionPlan(
                request,
                DirectoryPermissions.of(
                        Optional.ofNullable(request.parameters().get(MODE)),
                        Optional.ofNullable(request.parameters().get(GROUP))));
    }

    String name() {
        return request.volumeName();
    }

    /** The volume, with its directory below a root, on the node chosen by the scheduler if there is one. */
    VolumeTemplate template(Path root) {
        return template(root, request.selectedNode());
    }

    /** The volume on a node, known by the label that schedulers look at; where the label is not known, it is taken for the name. */
    VolumeTemplate template(Path root, Optional<NodeRef> node) {
        Map<String, String> annotations = new TreeMap<>();
        annotations.put(ProvisionedVolumes.CAPACITY_ENFORCED, "false");
        permissions.annotate(annotations);
        String path = root.resolve(Store.VOLUMES).resolve(name()).toString();
        return new VolumeTemplate(
                new HostPathSource(path, PathType.DIRECTORY.text()).toSource(),
                request.requested(),
                ProvisionedVolumes.accessModes(request, AccessMode.READ_WRITE_ONCE),
                node.map(chosen -> VolumeNodeAffinity.onlyWhere(HOSTNAME, hostname(chosen))),
                annotations);
    }

    private String hostname(NodeRef node) {
        boolean known = request.selectedNode()
                .filter(selected -> selected.name().equals(node.name()))
                .isPresent();
        return known ? request.nodeLabels().getOrDefault(HOSTNAME, node.name()) : node.name();
    }
}
