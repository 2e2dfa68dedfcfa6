// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.driver;

import dev.mooring.csi.CsiEndpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for sockets that are made, by the kernel's notices. Where the directory of a socket is not there yet, the nearest one above it is
 * watched. Thread-safe.
 */
public final class SocketWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SocketWatch.class);

    private final Map<String, Path> sockets = new TreeMap<>();
    private final WatchService watch;
    private final Consumer<String> came;

    private SocketWatch(Map<String, CsiEndpoint> endpoints, WatchService watch, Consumer<String> came) {
        endpoints.forEach((name, endpoint) -> sockets.put(name, endpoint.socket()));
        this.watch = watch;
        this.came = came;
    }

    /**
     * Begins to wait.
     *
     * @param endpoints sockets by the names of their drivers
     * @param came run, by a thread of this watch, with the name of a driver whose socket was made
     */
    public static SocketWatch start(Map<String, CsiEndpoint> endpoints, Consumer<String> came) {
        try {
            SocketWatch started =
                    new SocketWatch(endpoints, FileSystems.getDefault().newWatchService(), came);
            started.follow();
            // before this returns: what comes afterwards is a change
            Map<String, Object> known = started.identities();
            Thread thread = new Thread(() -> started.run(known), "mooring-csi-sockets");
            thread.setDaemon(true);
            thread.start();
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException("the sockets of CSI drivers cannot be watched", e);
        }
    }

    /** Watches the nearest directories. Again if one below came meanwhile: of what was made before a directory is watched there is no notice. */
    private void follow() throws IOException {
        Set<Path> followed = Set.of();
        Set<Path> nearest = nearest();
        while (!nearest.equals(followed)) {
            for (Path directory : nearest) {
                try {
                    // registering what is registered already changes nothing
                    directory.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
                } catch (NoSuchFileException | NotDirectoryException gone) {
                    LOG.debug("{} has gone", directory);
                }
            }
            followed = nearest;
            nearest = nearest();
        }
    }

    private Set<Path> nearest() {
        Set<Path> directories = new HashSet<>();
        for (Path socket : sockets.values()) {
            Path directory = socket.getParent();
            while (directory != null && !Files.isDirectory(directory)) {
                directory = directory.getParent();
            }
            if (directory != null) {
                directories.add(directory);
            }
        }
        return directories;
    }

    private void run(Map<String, Object> before) {
        Map<String, Object> known = before;
        try {
            while (true) {
                WatchKey changed = watch.take();
                changed.pollEvents();
                changed.reset();
                follow();
                Map<String, Object> now = identities();
                for (Map.Entry<String, Object> socket : now.entrySet()) {
                    if (!socket.getValue().equals(known.get(socket.getKey()))) {
                        came.accept(socket.getKey());
                    }
                }
                known = now;
            }
        } catch (InterruptedException | ClosedWatchServiceException ended) {
            LOG.debug("the sockets of CSI drivers are not watched any more");
        } catch (IOException e) {
            LOG.warn("the sockets of CSI drivers are not watched any more: {}", e.toString());
        }
    }

    /** What distinguishes each present socket from one that takes its place. */
    private Map<String, Object> identities() {
        Map<String, Object> there = new HashMap<>();
        sockets.forEach((name, socket) -> {
            try {
                there.put(
                        name, Files.getAttribute(socket, "unix:ino") + " " + Files.getAttribute(socket, "unix:ctime"));
            } catch (IOException none) {
                LOG.debug("{} is not there", socket);
            }
        });
        return there;
    }

    @Override
    public void close() {
        try {
            watch.close();
        } catch (IOException e) {
            LOG.debug("a watch was not closed", e);
        }
    }
}
