// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.process.ProcessIdentity;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * The places that the processes of Mooring on this machine keep for themselves: data, state, records, keys, tokens, backups, plugins,
 * sockets. Each process notes its own before it makes them, in a file of its own below one directory, and every process reads the files of
 * all. A file of a process that has ended is removed by the next reader or writer: a process is recognised by its number and the time of
 * its start.
 *
 * <p>The directory itself is a kept place. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class KeptPlaces implements AutoCloseable {
    /** Where the processes of a machine find each other's places; emptied by each boot. */
    public static final Path DIRECTORY = Path.of("/run/mooring/places");

    private final Path directory;
    private final List<KeptPlace> own = new CopyOnWriteArrayList<>();
    private final List<Path> files = new CopyOnWriteArrayList<>();

    private KeptPlaces(Path directory) {
        this.directory = directory;
    }

    /**
     * The places noted in a directory, which does not have to exist. Nothing is read or made yet.
     *
     * @param directory {@link #DIRECTORY}, or for tests one of their own
     */
    public static KeptPlaces in(Path directory) {
        if (!directory.isAbsolute()) {
            throw new IllegalArgumentException("the directory of kept places " + directory + " is not absolute");
        }
        return new KeptPlaces(directory);
    }

    /**
     * Notes what this process keeps for itself, before it makes it. In this process the places are kept in any case.
     *
     * @param program which program it is, such as {@code mooring standalone}
     * @param kinds absolute paths, which do not have to exist, and what each holds, in words; a place that is kept already stays as it was
     * @return done once other processes can read it; refused as {@link Refusal#UNSUPPORTED} where the directory lies on a read-only file
     *     system, so that no process of this container finds notes there; refused with the reason if they cannot read it otherwise
     */
    public Outcome<Nothing> keep(String program, Map<Path, String> kinds) {
        return keep(program, kinds, false);
    }

    /** The same of what volumes may show, but neither empty nor destroy. */
    public Outcome<Nothing> keepVisible(String program, Map<Path, String> kinds) {
        return keep(program, kinds, true);
    }

    private Outcome<Nothing> keep(String program, Map<Path, String> kinds, boolean visible) {
        ProcessIdentity here = PlacesFile.here();
        String owner = program + " (process " + here.pid() + ")";
        List<KeptPlace> places = kinds.entrySet().stream()
                .filter(each -> own.stream().noneMatch(kept -> kept.path().equals(each.getKey())))
                .map(each -> new KeptPlace(each.getKey(), each.getValue(), owner, visible))
                .toList();
        if (places.isEmpty()) {
            return Outcome.done();
        }
        own.addAll(places);
        try {
            files.add(write(here, PlacesFile.of(here, places)));
            return Outcome.done();
        } catch (IOException e) {
            if (isReadOnly(directory)) {
                return Outcome.refused(
                        Refusal.UNSUPPORTED,
                        "no process can write " + directory
                                + " here, as in a container whose root cannot be written. The places of " + program
                                + " are kept by this process only");
            }
            return Outcome.refused(
                    Refusal.DENIED,
                    "the places of " + program + " cannot be noted in " + directory + ": " + e
                            + ". Other processes of Mooring on this machine do not know them and may show or empty them."
                            + " Make the directory writable for this process, and start it again");
        }
    }

    private Path write(ProcessIdentity here, PlacesFile content) throws IOException {
        make(directory);
        dropStale();
        byte[] bytes = content.text().getBytes(StandardCharsets.UTF_8);
        for (int number = 0; ; number++) {
            String name = here.pid() + "-" + here.started() + "-" + number;
            Path file = directory.resolve(name);
            Path temporary = directory.resolve("." + name);
            if (Files.exists(file)) {
                continue;
            }
            try {
                Files.write(temporary, bytes, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            } catch (FileAlreadyExistsException taken) {
                continue; // by another caller in this process
            }
            Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rw-r--r--"));
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
            return file;
        }
    }

    /** Whether this process keeps places that it could not note, so that other processes do not know them. */
    public boolean isUnnoted() {
        return !own.isEmpty() && files.isEmpty();
    }

    /** Whether the file system that a directory lies on, or would lie on, cannot be written. */
    private static boolean isReadOnly(Path wanted) {
        Path there = wanted;
        while (there.getParent() != null && !Files.exists(there)) {
            there = there.getParent();
        }
        try {
            return Files.getFileStore(there).isReadOnly();
        } catch (IOException unknown) {
            return false;
        }
    }

    /** Readable for all users: a process of another user has to know the places too. */
    private static void make(Path wanted) throws IOException {
        Path parent = wanted.getParent();
        if (Files.isDirectory(wanted) || parent == null) {
            return;
        }
        make(parent);
        try {
            Files.createDirectory(wanted);
            Files.setPosixFilePermissions(wanted, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (FileAlreadyExistsException meanwhile) {
            if (!Files.isDirectory(wanted)) {
                throw meanwhile;
            }
        }
    }

    /**
     * The places that are kept now, by this process and by all others that have noted theirs, and the directory of the notes.
     *
     * @return the places; deferred, with the reason, if they cannot be read
     */
    public Outcome<List<KeptPlace>> all() {
        List<KeptPlace> places = new ArrayList<>(own);
        places.add(new KeptPlace(directory, "notes of kept places", "Mooring", false));
        try (DirectoryStream<Path> notes = Files.newDirectoryStream(directory, "[0-9]*")) {
            for (Path note : notes) {
                if (!files.contains(note)) {
                    places.addAll(read(note));
                }
            }
        } catch (NoSuchFileException | NotDirectoryException nothingIsKept) {
            return Outcome.done(List.copyOf(places));
        } catch (IOException | DirectoryIteratorException e) {
            return Outcome.deferred("the places that Mooring keeps on this machine cannot be read: " + e);
        }
        return Outcome.done(List.copyOf(places));
    }

    private static List<KeptPlace> read(Path note) throws IOException {
        String text;
        try {
            text = Files.readString(note, StandardCharsets.UTF_8);
        } catch (NoSuchFileException ended) {
            return List.of();
        }
        PlacesFile content = PlacesFile.parse(text);
        if (content.isStale()) {
            drop(note);
            return List.of();
        }
        return content.places();
    }

    /** Where nothing is published, no process reads; a process that starts again and again would leave a file each time. */
    private void dropStale() {
        try (DirectoryStream<Path> notes = Files.newDirectoryStream(directory, "{,.}[0-9]*")) {
            for (Path note : notes) {
                if (!files.contains(note)) {
                    read(note);
                }
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            // the caller that publishes gets the reason
            return;
        }
    }

    private static void drop(Path note) {
        try {
            Files.deleteIfExists(note);
        } catch (IOException stays) {
            // of another user; it is passed over each time
            return;
        }
    }

    /** What is noted, for people. */
    @Override
    public String toString() {
        return own.stream().map(KeptPlace::toString).collect(Collectors.joining(", ", directory + ": ", ""));
    }

    /** Removes what this process has noted. Its places are free then. */
    @Override
    public void close() {
        own.clear();
        files.forEach(KeptPlaces::drop);
        files.clear();
    }
}
