// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.device;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.SecretValue;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.CommandResult.Ending;
import dev.mooring.storage.spi.host.ProcessRunner;
import dev.mooring.storage.spi.host.Sysfs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The kernel's own files. Reading them never waits for a device; writing may, such as the removal of a disk whose server is dead, and a
 * thread that waits in the kernel would keep the whole process from ending. So a write is made by a child, {@code tee}, that can be left.
 */
public final class LinuxSysfs implements Sysfs {
    private static final Duration WRITE_LIMIT = Duration.ofSeconds(30);
    private static final List<Path> ALLOWED = List.of(Path.of("/sys"), Path.of("/proc"), Path.of("/dev"));
    private static final int LARGEST = 1 << 20;

    private final ProcessRunner processes;
    private final Path root;

    /**
     * @param root where {@code /sys}, {@code /proc} and {@code /dev} are found; {@code /} but for tests
     */
    public LinuxSysfs(ProcessRunner processes, Path root) {
        this.processes = processes;
        this.root = root;
    }

    @Override
    public Outcome<List<String>> list(Path directory) {
        return within(directory).then(real -> {
            List<String> names = new ArrayList<>();
            try (DirectoryStream<Path> stream = Files.newDirectoryStream(real)) {
                stream.forEach(path -> names.add(String.valueOf(path.getFileName())));
            } catch (NoSuchFileException | NotDirectoryException absent) {
                return Outcome.done(List.of());
            } catch (DirectoryIteratorException halfWay) {
                return unreadable(directory, Objects.requireNonNull(halfWay.getCause()));
            } catch (IOException e) {
                return unreadable(directory, e);
            }
            Collections.sort(names);
            return Outcome.done(List.copyOf(names));
        });
    }

    @Override
    public Outcome<Optional<String>> read(Path file) {
        return within(file).then(real -> {
            try (var in = Files.newInputStream(real)) {
                // not UTF-8: what a device says of itself may be any bytes
                String text = new String(in.readNBytes(LARGEST), StandardCharsets.ISO_8859_1);
                return Outcome.done(Optional.of(text.stripTrailing()));
            } catch (NoSuchFileException absent) {
                return Outcome.done(Optional.empty());
            } catch (IOException e) {
                // a device that goes away while it is read has no errors but this one
                return Files.exists(real) ? unreadable(file, e) : Outcome.done(Optional.empty());
            }
        });
    }

    @Override
    public Outcome<Optional<Path>> resolve(Path path) {
        return within(path).then(real -> {
            try {
                Path resolved = real.toRealPath();
                Path base = root.toRealPath();
                return Outcome.done(Optional.of(
                        resolved.startsWith(base) ? Path.of("/").resolve(base.relativize(resolved)) : resolved));
            } catch (NoSuchFileException absent) {
                return Outcome.done(Optional.empty());
            } catch (IOException e) {
                return unreadable(path, e);
            }
        });
    }

    @Override
    public Outcome<Nothing> write(OperationContext context, Path file, String text) {
        return within(file).then(real -> {
            if (!Files.exists(real)) {
                return Outcome.refused(Refusal.NOT_FOUND, "there is no " + file);
            }
            Command command = Command.change(file.toString(), WRITE_LIMIT, "tee", List.of(real.toString()))
                    .withInput(new SecretValue(text.getBytes(StandardCharsets.UTF_8)));
            return processes.run(context, command).then(result -> written(file, real, result));
        });
    }

    private static Outcome<Nothing> written(Path file, Path real, CommandResult result) {
        if (result.succeeded()) {
            return Outcome.done();
        }
        if (result.ending() != Ending.EXITED) {
            return Outcome.uncertain("the kernel has not answered the write to " + file + " in time");
        }
        if (!Files.exists(real)) {
            return Outcome.refused(Refusal.NOT_FOUND, file + " has gone");
        }
        String why = file + ": " + result.complaint();
        return switch (reason(result.complaint())) {
            case "No such device", "No such device or address", "No such file or directory" ->
                Outcome.refused(Refusal.NOT_FOUND, why);
            case "Permission denied", "Operation not permitted", "Read-only file system" ->
                Outcome.refused(Refusal.DENIED, why);
            case "Invalid argument" -> Outcome.refused(Refusal.INVALID, why);
            case "Device or resource busy" -> Outcome.refused(Refusal.IN_USE, why);
            default -> Outcome.uncertain(why);
        };
    }

    private static String reason(String complaint) {
        return complaint.substring(complaint.lastIndexOf(": ") + 1).strip();
    }

    private Outcome<Path> within(Path path) {
        boolean allowed = path.equals(path.normalize()) && ALLOWED.stream().anyMatch(path::startsWith);
        return allowed
                ? Outcome.done(root.resolve(Path.of("/").relativize(path)))
                : Outcome.refused(Refusal.INVALID, path + " is not a file of the kernel");
    }

    private static <T> Outcome<T> unreadable(Path path, IOException e) {
        return Outcome.deferred(path + " cannot be read: " + e.getMessage());
    }
}
