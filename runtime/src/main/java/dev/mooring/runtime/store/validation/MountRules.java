// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.store.validation;

import dev.mooring.runtime.store.fields.Fields;
import dev.mooring.storage.document.Document;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rules of how the containers of a Pod use its volumes: as file systems at paths, or as devices. */
final class MountRules {
    private static final List<String> PROPAGATIONS = List.of("Bidirectional", "HostToContainer", "None");
    private static final Set<String> BLOCK_SOURCES = Set.of("persistentVolumeClaim", "ephemeral");

    private final Map<String, Document> volumes = new HashMap<>();
    private final Problems problems;

    /**
     * The rules of one pod.
     *
     * @param volumes the volumes of the pod
     */
    MountRules(List<Document> volumes, Problems problems) {
        volumes.forEach(volume -> this.volumes.put(Fields.text(volume, "name"), volume));
        this.problems = problems;
    }

    /** Checks one container. */
    void check(String path, Document container) {
        List<Document> mounts = Fields.objects(container, "volumeMounts");
        List<Document> devices = Fields.objects(container, "volumeDevices");
        Set<String> deviceNames = new HashSet<>();
        Set<String> taken = new HashSet<>();
        for (int i = 0; i < devices.size(); i++) {
            device(path + ".volumeDevices[" + i + "]", devices.get(i), taken);
            deviceNames.add(Fields.text(devices.get(i), "name"));
        }
        Set<String> mountPaths = new HashSet<>();
        for (int i = 0; i < mounts.size(); i++) {
            String at = path + ".volumeMounts[" + i + "]";
            mount(at, mounts.get(i), mountPaths);
            propagation(at + ".mountPropagation", mounts.get(i), container);
            String name = Fields.text(mounts.get(i), "name");
            if (deviceNames.contains(name)) {
                problems.invalid(at + ".name", name, "must not already exist in volumeDevices");
            }
            String mountPath = Fields.text(mounts.get(i), "mountPath");
            if (taken.contains(mountPath)) {
                problems.invalid(at + ".mountPath", mountPath, "must not already exist as a path in volumeDevices");
            }
        }
    }

    private void mount(String path, Document mount, Set<String> mountPaths) {
        named(path, mount);
        unique(path + ".mountPath", Fields.text(mount, "mountPath"), mountPaths);
        String subPath = Fields.text(mount, "subPath");
        String expression = Fields.text(mount, "subPathExpr");
        SourceRules.descending(path + ".subPath", subPath, problems);
        SourceRules.descending(path + ".subPathExpr", expression, problems);
        if (!subPath.isEmpty() && !expression.isEmpty()) {
            problems.invalid(path + ".subPathExpr", expression, "subPathExpr and subPath are mutually exclusive");
        }
    }

    private void propagation(String path, Document mount, Document container) {
        String propagation = Fields.text(mount, "mountPropagation");
        if (propagation.isEmpty()) {
            return;
        }
        problems.oneOf(path, propagation, PROPAGATIONS);
        if (propagation.equals("Bidirectional") && !Fields.isTrue(container, "securityContext", "privileged")) {
            problems.forbidden(path, "Bidirectional mount propagation is available only to privileged containers");
        }
    }

    private void device(String path, Document device, Set<String> devicePaths) {
        named(path, device);
        String devicePath = Fields.text(device, "devicePath");
        unique(path + ".devicePath", devicePath, devicePaths);
        SourceRules.noUpwards(path + ".devicePath", devicePath, problems);
        String name = Fields.text(device, "name");
        if (volumes.containsKey(name)
                && BLOCK_SOURCES.stream().noneMatch(source -> Fields.isSet(volumes.get(name), source))) {
            problems.invalid(
                    path + ".name",
                    name,
                    "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
        }
    }

    private void named(String path, Document use) {
        String name = Fields.text(use, "name");
        problems.given(path + ".name", name);
        if (!name.isEmpty() && !volumes.containsKey(name)) {
            problems.notFound(path + ".name", name);
        }
    }

    private void unique(String path, String value, Set<String> seen) {
        problems.given(path, value);
        if (!value.isEmpty() && !seen.add(value)) {
            problems.invalid(path, value, "must be unique");
        }
    }
}
