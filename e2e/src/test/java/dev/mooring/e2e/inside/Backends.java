// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** All kinds of storage, by name. */
final class Backends {
    /** Where only this node is meant. */
    static final String HERE = "nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: "
            + "[{key: kubernetes.io/hostname, operator: In, values: [" + GuestWorld.NODE + "]}]}]}}";

    /** How every secret begins. */
    static final String PLANTED = "planted-secret-";

    private static final String EXPORT = "/srv/nfs";
    private static final String DISK_SIZE = "64M";

    private static final Map<String, Backend> ALL = Map.ofEntries(
            Map.entry("hostPath", new Directory("kubernetes.io/host-path", "hostPath: {path: %s, type: Directory}")),
            Map.entry("local", new Directory("kubernetes.io/local-volume", "local: {path: %s}")),
            Map.entry("local-device", new LocalDevice()),
            Map.entry("nfs3", new Nfs("nfsvers=3")),
            Map.entry("nfs4", new Nfs("nfsvers=4.2")),
            Map.entry("iscsi", new Iscsi(Chap.NONE, "Filesystem")),
            Map.entry("iscsi-chap", new Iscsi(Chap.ONE_WAY, "Filesystem")),
            Map.entry("iscsi-chap-block", new Iscsi(Chap.ONE_WAY, "Block")),
            Map.entry("iscsi-chap-mutual", new Iscsi(Chap.MUTUAL, "Filesystem")));

    private Backends() {}

    static Backend named(String name) {
        return Objects.requireNonNull(ALL.get(name), name);
    }

    static Set<String> names() {
        return new TreeSet<>(ALL.keySet());
    }

    /** The Secret of a mutual proof with a password that the target does not take. */
    static String wrongSecret() {
        return Iscsi.secret(PLANTED + "0", true);
    }

    /** Which sides prove who they are. */
    private enum Chap {
        NONE,
        ONE_WAY,
        MUTUAL
    }

    /** The target that serves a volume. */
    static String target(Path data) {
        return "iqn.2026-01.dev.mooring:" + String.valueOf(data.getParent().getFileName());
    }

    /** A directory of this machine. */
    private record Directory(String plugin, String source) implements Backend {
        @Override
        public void make(Path data) {
            directory(data.resolve("disk"));
        }

        @Override
        public String spec(Path data) {
            return source.formatted(data.resolve("disk")) + ", " + HERE;
        }
    }

    /** A disk of this machine, here a loop device. */
    private record LocalDevice() implements Backend {
        @Override
        public String plugin() {
            return "kubernetes.io/local-volume";
        }

        @Override
        public void start() {
            MachineView.run("modprobe", "loop");
        }

        @Override
        public void make(Path data) {
            directory(data);
            Path file = data.resolve("image");
            MachineView.run("truncate", "-s", DISK_SIZE, file.toString());
            String device = MachineView.run("losetup", "-f", "--show", file.toString());
            write(data.resolve("device"), device);
        }

        @Override
        public String spec(Path data) {
            return "local: {path: %s, fsType: ext4}, ".formatted(MachineView.read(data.resolve("device"))) + HERE;
        }

        @Override
        public void remove(Path data) {
            MachineView.run("losetup", "-d", MachineView.read(data.resolve("device")));
        }
    }

    /** A directory of an NFS server. */
    private record Nfs(String version) implements Backend {
        @Override
        public String plugin() {
            return "kubernetes.io/nfs";
        }

        @Override
        public void start() {
            MachineView.service("nfs-start", EXPORT);
        }

        @Override
        public void make(Path data) {
            directory(data);
            directory(Path.of(EXPORT, name(data)));
        }

        @Override
        public String spec(Path data) {
            return "nfs: {server: 127.0.0.1, path: %s/%s}, mountOptions: [%s]".formatted(EXPORT, name(data), version);
        }

        private static String name(Path data) {
            return String.valueOf(data.getParent().getFileName());
        }
    }

    /** A unit of an iSCSI target. */
    private record Iscsi(Chap chap, String mode) implements Backend {
        private static final String USER = "someone";
        private static final String PASSWORD = PLANTED + "1";
        private static final String TARGET_USER = "something";
        private static final String TARGET_PASSWORD = PLANTED + "2";

        @Override
        public String plugin() {
            return "kubernetes.io/iscsi";
        }

        @Override
        public void start() {
            MachineView.service("iscsi-start");
        }

        @Override
        public void make(Path data) {
            directory(data);
            switch (chap) {
                case NONE -> MachineView.service("target-start", target(data));
                case ONE_WAY -> MachineView.service("target-start", target(data), USER, PASSWORD);
                case MUTUAL ->
                    MachineView.service("target-start", target(data), USER, PASSWORD, TARGET_USER, TARGET_PASSWORD);
            }
            MachineView.service(
                    "target-lun", target(data), "0", data.resolve("image").toString(), DISK_SIZE);
        }

        @Override
        public String spec(Path data) {
            return "iscsi: {targetPortal: '127.0.0.1:3260', iqn: '%s', lun: 0%s%s}"
                    .formatted(
                            target(data),
                            mode.equals("Block") ? "" : ", fsType: ext4",
                            chap != Chap.NONE
                                    ? ", chapAuthSession: true, secretRef: {name: chap, namespace: default}"
                                    : "");
        }

        @Override
        public String objects() {
            return chap == Chap.NONE ? "" : secret(PASSWORD, chap == Chap.MUTUAL);
        }

        @Override
        public void remove(Path data) {
            MachineView.service("target-stop", target(data));
        }

        @Override
        public boolean attached() {
            return true;
        }

        private static String secret(String password, boolean mutual) {
            String back = mutual
                    ? ", node.session.auth.username_in: %s, node.session.auth.password_in: %s"
                            .formatted(base64(TARGET_USER), base64(TARGET_PASSWORD))
                    : "";
            return """
                    {apiVersion: v1, kind: Secret, metadata: {name: chap, namespace: default}, type: kubernetes.io/iscsi-chap,
                     data: {node.session.auth.username: %s, node.session.auth.password: %s%s}}""".formatted(base64(USER), base64(password), back);
        }

        private static String base64(String text) {
            return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void directory(Path path) {
        try {
            Files.createDirectories(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
